package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;

/** Reads a GIF: the screen, grown to hold its first picture where that reaches beyond it, as Pillow has it. */
final class GifHeader {
    private static final int EXTENSION = 0x21;
    private static final int IMAGE = 0x2C;
    private static final int MOST_BLOCKS = 1 << 16;

    private GifHeader() {}

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        int width = bytes.u16(6, false);
        int height = bytes.u16(8, false);
        int flags = bytes.u8(10);
        long at = 13 + ((flags & 0x80) != 0 ? 3L << ((flags & 7) + 1) : 0);
        for (int block = 0; block < MOST_BLOCKS; block++) {
            int kind = bytes.u8(at);
            if (kind == IMAGE) {
                width = Math.max(width, bytes.u16(at + 1, false) + bytes.u16(at + 5, false));
                height = Math.max(height, bytes.u16(at + 3, false) + bytes.u16(at + 7, false));
                return new ImageHeader(Codec.GIF, width, height, Orientation.UPRIGHT, 1);
            }
            if (kind == ';') {
                throw new BadPayload(Reason.CORRUPT, "GIF without a picture", at);
            }
            at = kind == EXTENSION ? afterBlocks(bytes, at + 2) : at + 1;
        }
        throw new BadPayload(
                Reason.CORRUPT,
                "GIF with more than %d blocks before its picture".formatted(MOST_BLOCKS),
                at);
    }

    private static long afterBlocks(HeaderBytes bytes, long from) throws BadPayload, IOException {
        long at = from;
        int length;
        while ((length = bytes.u8(at)) != 0) {
            at += 1 + length;
        }
        return at + 1;
    }
}
