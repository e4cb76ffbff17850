package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;

/** Reads a BMP: the OS/2 header of 12 bytes or a Windows one of 16 and more; a negative height means rows from the top. */
final class BmpHeader {
    private static final int OS2_BYTES = 12;
    private static final int LEAST_WINDOWS_BYTES = 16;
    private static final int MOST_WINDOWS_BYTES = 256;

    private BmpHeader() {}

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        long headerBytes = bytes.u32(14, false);
        if (headerBytes == OS2_BYTES) {
            int bits = bytes.u16(24, false);
            return header(bytes.u16(18, false), bytes.u16(20, false), bits);
        }
        if (headerBytes < LEAST_WINDOWS_BYTES || headerBytes > MOST_WINDOWS_BYTES) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "BMP with a header of %d bytes".formatted(headerBytes), 14);
        }
        int width = (int) bytes.u32(18, false);
        int height = (int) bytes.u32(22, false);
        return header(width, Math.abs(height), bytes.u16(28, false));
    }

    private static ImageHeader header(int width, int height, int bits) {
        int channels = bits <= 8 ? 1 : bits == 32 ? 4 : 3;
        return new ImageHeader(Codec.BMP, width, height, Orientation.UPRIGHT, channels);
    }
}
