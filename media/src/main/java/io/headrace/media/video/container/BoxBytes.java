package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One top-level box in memory, read by offsets of the file. Every access lies within the box, a child lies within its parent, and the
 * number of boxes looked at is bounded, so a hostile header costs no more than its own bytes.
 */
final class BoxBytes {
    /** A header of a film has some dozens a track; the bound of hostile ones. */
    static final int MOST_BOXES = 1 << 16;

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private final byte[] bytes;
    private final long base;
    private final Box root;
    private int boxes;

    private BoxBytes(byte[] bytes, Box root) {
        this.bytes = bytes;
        this.base = root.at();
        this.root = root;
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    /** Reads a box that lies within the payload and has at most {@code mostBytes}; more is refused before memory is taken. */
    static BoxBytes read(ByteView view, Box root, long mostBytes) throws BadPayload, IOException {
        long size = root.end() - root.at();
        if (size > mostBytes) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Box %s of %d bytes; at most %d are read"
                            .formatted(root.name(), size, mostBytes),
                    root.at());
        }
        byte[] bytes = new byte[(int) size];
        int count = view.read(root.at(), bytes, bytes.length);
        if (count < bytes.length) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "Box %s of %d bytes where %d are left".formatted(root.name(), size, count),
                    root.at());
        }
        return new BoxBytes(bytes, root);
    }

    Box root() {
        return root;
    }

    int u8(long at) throws BadPayload {
        return bytes[index(at, 1)] & 0xFF;
    }

    int u16(long at) throws BadPayload {
        return (short) SHORT.get(bytes, index(at, 2)) & 0xFFFF;
    }

    int i32(long at) throws BadPayload {
        return (int) INT.get(bytes, index(at, 4));
    }

    long u32(long at) throws BadPayload {
        return i32(at) & 0xFFFF_FFFFL;
    }

    long i64(long at) throws BadPayload {
        return (long) LONG.get(bytes, index(at, 8));
    }

    /** A copy of a range that nobody can change. */
    MemorySegment copy(long from, long end) throws BadPayload {
        int length = (int) Math.min(end - from, Integer.MAX_VALUE);
        int at = index(from, length);
        byte[] copy = new byte[length];
        System.arraycopy(bytes, at, copy, 0, length);
        return MemorySegment.ofArray(copy).asReadOnly();
    }

    private int index(long at, int length) throws BadPayload {
        if (at < base || length < 0 || at > base + bytes.length - length) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Box %s of %d bytes ends before its content"
                            .formatted(root.name(), bytes.length),
                    at);
        }
        return (int) (at - base);
    }

    /** The boxes that follow one another in a range. Fewer than 8 bytes at the end are padding, as QuickTime writes it. */
    List<Box> children(long from, long end) throws BadPayload {
        List<Box> children = new ArrayList<>();
        long at = from;
        while (end - at >= 8) {
            long size = u32(at);
            long content = at + 8;
            if (size == 1) {
                size = i64(at + 8);
                content = at + 16;
            } else if (size == 0) {
                size = end - at;
            }
            Box box = new Box(i32(at + 4), at, content, at + size);
            if (size < content - at || size > end - at) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "Box %s of %d bytes where %d are left"
                                .formatted(box.name(), size, end - at),
                        at);
            }
            if (++boxes > MOST_BOXES) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "More than %d boxes in %s".formatted(MOST_BOXES, root.name()),
                        at);
            }
            children.add(box);
            at = box.end();
        }
        return children;
    }

    List<Box> children(Box parent) throws BadPayload {
        return children(parent.from(), parent.end());
    }

    /** The first box of this type. */
    static @Nullable Box find(List<Box> boxes, String type) {
        int code = Box.code(type);
        for (Box box : boxes) {
            if (box.type() == code) {
                return box;
            }
        }
        return null;
    }

    /** The first box of this type, without which the parent says nothing. */
    static Box need(List<Box> boxes, String type, Box parent) throws BadPayload {
        Box box = find(boxes, type);
        if (box == null) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Box %s without box %s".formatted(parent.name(), type),
                    parent.at());
        }
        return box;
    }

    /** Number of entries of a table, checked against the bytes that are there for them. */
    int entries(Box table, long countAt, long entriesAt, int entryBytes) throws BadPayload {
        long count = u32(countAt);
        long most = Math.max(0, table.end() - entriesAt) / entryBytes;
        if (count > most) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Box %s of %d entries with room for %d".formatted(table.name(), count, most),
                    table.at());
        }
        return (int) count;
    }
}
