package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.probe.AvifBoxes.Box;
import java.io.IOException;

/**
 * Reads the header of an AVIF: the primary item's {@code ispe} is the size, its {@code irot} and {@code imir} are the orientation. An
 * item that refers to another as its alpha makes four channels.
 */
final class AvifHeader {
    private static final int MOST_SIDE = 1 << 16;

    private final HeaderBytes bytes;
    private long width;
    private long height;
    private int angle;
    private int axis = -1;

    private AvifHeader(HeaderBytes bytes) {
        this.bytes = bytes;
    }

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
        AvifBoxes boxes = new AvifBoxes(bytes);
        Box meta = boxes.meta();
        AvifHeader avif = new AvifHeader(bytes);
        boxes.properties(meta, boxes.primaryItem(meta), avif::property);
        if (avif.width <= 0
                || avif.height <= 0
                || avif.width > MOST_SIDE
                || avif.height > MOST_SIDE) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "AVIF of %d x %d pixels".formatted(avif.width, avif.height),
                    meta.from());
        }
        Box references = boxes.find("iref", meta);
        boolean alpha = references != null && bytes.matches(references.from() + 8, "auxl");
        return new ImageHeader(
                Codec.AVIF, (int) avif.width, (int) avif.height, avif.orientation(), alpha ? 4 : 3);
    }

    private void property(Box property) throws BadPayload, IOException {
        if (bytes.matches(property.type(), "ispe")) {
            width = bytes.u32(property.from() + 4, true);
            height = bytes.u32(property.from() + 8, true);
        } else if (bytes.matches(property.type(), "irot")) {
            angle = bytes.u8(property.from()) & 3;
        } else if (bytes.matches(property.type(), "imir")) {
            axis = bytes.u8(property.from()) & 1;
        }
    }

    /** Anti-clockwise quarter turns, then a mirror over an axis (0: top and bottom change places; -1: none). */
    private Orientation orientation() {
        int exif =
                switch (angle) {
                    case 0 -> axis < 0 ? 1 : axis == 0 ? 4 : 2;
                    case 1 -> axis < 0 ? 8 : axis == 0 ? 5 : 7;
                    case 2 -> axis < 0 ? 3 : axis == 0 ? 2 : 4;
                    default -> axis < 0 ? 6 : axis == 0 ? 7 : 5;
                };
        return Orientation.ofExif(exif);
    }
}
