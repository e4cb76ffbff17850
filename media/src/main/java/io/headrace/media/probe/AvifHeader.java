package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * Walks the boxes of an AVIF (ISO/IEC 14496-12, 23008-12): the primary item's {@code ispe} is the size, its {@code irot} and
 * {@code imir} are the orientation. Boxes are bounded by their parent, in size and in number.
 */
final class AvifHeader {
    private static final int MOST_BOXES = 4096;

    private final HeaderBytes bytes;
    private int boxes;

    private AvifHeader(HeaderBytes bytes) {
        this.bytes = bytes;
    }

    /** A box: the offsets of its content and of its end. */
    private record Box(long from, long end) {}

    static boolean matches(HeaderBytes bytes) throws BadPayload, IOException {
        if (!bytes.matches(4, "ftyp")) {
            return false;
        }
        long end = Math.min(Math.min(bytes.u32(0, true), 1024), bytes.lengthBytes());
        for (long at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
            if (bytes.matches(at, "avif") || bytes.matches(at, "avis")) {
                return true;
            }
        }
        return false;
    }

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        AvifHeader avif = new AvifHeader(bytes);
        Box meta = avif.need("meta", new Box(0, bytes.lengthBytes()), 4);
        long primary = avif.primaryItem(avif.need("pitm", meta, 0));
        Box properties = avif.need("iprp", meta, 0);
        return avif.item(
                primary, avif.need("ipco", properties, 0), avif.need("ipma", properties, 0));
    }

    private long primaryItem(Box pitm) throws BadPayload, IOException {
        return bytes.u8(pitm.from) == 0
                ? bytes.u16(pitm.from + 4, true)
                : bytes.u32(pitm.from + 4, true);
    }

    /** The header of the item whose properties {@code ipma} lists. */
    private ImageHeader item(long wanted, Box ipco, Box ipma) throws BadPayload, IOException {
        int version = bytes.u8(ipma.from);
        int indexBytes = (bytes.u8(ipma.from + 3) & 1) != 0 ? 2 : 1;
        long items = Math.min(bytes.u32(ipma.from + 4, true), MOST_BOXES);
        long at = ipma.from + 8;
        for (long i = 0; i < items && at < ipma.end; i++) {
            long id = version == 0 ? bytes.u16(at, true) : bytes.u32(at, true);
            at += version == 0 ? 2 : 4;
            int count = bytes.u8(at++);
            if (id == wanted) {
                return properties(ipco, at, count, indexBytes);
            }
            at += (long) count * indexBytes;
        }
        throw new BadPayload(
                Reason.CORRUPT, "AVIF without properties of item " + wanted, ipma.from);
    }

    private ImageHeader properties(Box ipco, long list, int count, int indexBytes)
            throws BadPayload, IOException {
        long width = 0;
        long height = 0;
        int angle = 0;
        int axis = -1;
        for (int i = 0; i < count; i++) {
            long entry = list + (long) i * indexBytes;
            int index = indexBytes == 2 ? bytes.u16(entry, true) & 0x7FFF : bytes.u8(entry) & 0x7F;
            if (index == 0) {
                continue;
            }
            Box property = nth(index, ipco);
            long type = property.from - 4;
            if (bytes.matches(type, "ispe")) {
                width = bytes.u32(property.from + 4, true);
                height = bytes.u32(property.from + 8, true);
            } else if (bytes.matches(type, "irot")) {
                angle = bytes.u8(property.from) & 3;
            } else if (bytes.matches(type, "imir")) {
                axis = bytes.u8(property.from) & 1;
            }
        }
        if (width <= 0 || height <= 0 || width > 1 << 16 || height > 1 << 16) {
            throw new BadPayload(
                    Reason.CORRUPT, "AVIF of %d x %d pixels".formatted(width, height), list);
        }
        return new ImageHeader(Codec.AVIF, (int) width, (int) height, orientation(angle, axis), 3);
    }

    /** Anti-clockwise quarter turns, then a mirror over an axis (0: top and bottom change places; -1: none). */
    private static Orientation orientation(int angle, int axis) {
        IntUnaryOperator byAxis =
                switch (angle) {
                    case 0 -> mirror -> mirror < 0 ? 1 : mirror == 0 ? 4 : 2;
                    case 1 -> mirror -> mirror < 0 ? 8 : mirror == 0 ? 5 : 7;
                    case 2 -> mirror -> mirror < 0 ? 3 : mirror == 0 ? 2 : 4;
                    default -> mirror -> mirror < 0 ? 6 : mirror == 0 ? 7 : 5;
                };
        return Orientation.ofExif(byAxis.applyAsInt(axis));
    }

    private Box nth(int index, Box parent) throws BadPayload, IOException {
        long at = parent.from;
        Box box = parent;
        for (int i = 0; i < index; i++) {
            box = boxAt(at, parent.end);
            at = box.end;
        }
        return box;
    }

    /** The first child of this type; {@code skipBytes} of version and flags precede a full box's own children. */
    private Box need(String type, Box parent, int skipBytes) throws BadPayload, IOException {
        long at = parent.from;
        while (at < parent.end) {
            Box box = boxAt(at, parent.end);
            if (bytes.matches(at + 4, type)) {
                return new Box(box.from + skipBytes, box.end);
            }
            at = box.end;
        }
        throw new BadPayload(Reason.CORRUPT, "AVIF without box " + type, parent.from);
    }

    private Box boxAt(long at, long parentEnd) throws BadPayload, IOException {
        long size = bytes.u32(at, true);
        long from = at + 8;
        if (size == 1) {
            size = bytes.u64(at + 8, true);
            from = at + 16;
        } else if (size == 0) {
            size = parentEnd - at;
        }
        if (++boxes > MOST_BOXES || size < from - at || size > parentEnd - at) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "AVIF box of %d bytes where %d are left".formatted(size, parentEnd - at),
                    at);
        }
        return new Box(from, at + size);
    }
}
