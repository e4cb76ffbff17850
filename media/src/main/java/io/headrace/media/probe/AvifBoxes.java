package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Walks the boxes of an AVIF (ISO/IEC 14496-12). A box lies within its parent, and the number of boxes looked at is bounded. */
final class AvifBoxes {
    static final int MOST_BOXES = 4096;

    private final HeaderBytes bytes;
    private int boxes;

    AvifBoxes(HeaderBytes bytes) {
        this.bytes = bytes;
    }

    /** A box: the offsets of its type, of its content and of its end. */
    record Box(long type, long from, long end) {}

    /** The {@code meta} box of the file, from its first child on. */
    Box meta() throws BadPayload, IOException {
        Box meta = need("meta", new Box(0, 0, bytes.lengthBytes()));
        return new Box(meta.type, meta.from + 4, meta.end);
    }

    /** The first child of this type. */
    Box need(String type, Box parent) throws BadPayload, IOException {
        Box box = find(type, parent);
        if (box == null) {
            throw new BadPayload(Reason.CORRUPT, "AVIF without box " + type, parent.from);
        }
        return box;
    }

    /** The first child of this type; null if there is none. */
    @Nullable Box find(String type, Box parent) throws BadPayload, IOException {
        long at = parent.from;
        while (at < parent.end) {
            Box box = at(at, parent.end);
            if (bytes.matches(box.type, type)) {
                return box;
            }
            at = box.end;
        }
        return null;
    }

    /** The child with this number, counted from 1. */
    Box nth(int index, Box parent) throws BadPayload, IOException {
        Box box = at(parent.from, parent.end);
        for (int i = 1; i < index; i++) {
            box = at(box.end, parent.end);
        }
        return box;
    }

    /** The box that begins here. */
    Box at(long at, long parentEnd) throws BadPayload, IOException {
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
                    size > parentEnd - at ? Reason.TRUNCATED : Reason.CORRUPT,
                    "AVIF box of %d bytes where %d are left".formatted(size, parentEnd - at),
                    at);
        }
        return new Box(at + 4, from, at + size);
    }

    /** The number of the item that is shown. */
    long primaryItem(Box meta) throws BadPayload, IOException {
        Box pitm = need("pitm", meta);
        return bytes.u8(pitm.from) == 0
                ? bytes.u16(pitm.from + 4, true)
                : bytes.u32(pitm.from + 4, true);
    }

    /** Takes one property of an item. */
    interface PropertyReader {
        void read(Box property) throws BadPayload, IOException;
    }

    /** Shows each property of an item, in the order of the file. */
    void properties(Box meta, long item, PropertyReader reader) throws BadPayload, IOException {
        Box iprp = need("iprp", meta);
        Box ipco = need("ipco", iprp);
        Box ipma = need("ipma", iprp);
        int version = bytes.u8(ipma.from);
        int indexBytes = (bytes.u8(ipma.from + 3) & 1) != 0 ? 2 : 1;
        long items = Math.min(bytes.u32(ipma.from + 4, true), MOST_BOXES);
        long at = ipma.from + 8;
        for (long i = 0; i < items && at < ipma.end; i++) {
            long id = version == 0 ? bytes.u16(at, true) : bytes.u32(at, true);
            at += version == 0 ? 2 : 4;
            int count = bytes.u8(at++);
            for (int k = 0; k < count && id == item; k++) {
                long entry = at + (long) k * indexBytes;
                int index =
                        indexBytes == 2 ? bytes.u16(entry, true) & 0x7FFF : bytes.u8(entry) & 0x7F;
                if (index > 0) {
                    reader.read(nth(index, ipco));
                }
            }
            at += (long) count * indexBytes;
        }
    }
}
