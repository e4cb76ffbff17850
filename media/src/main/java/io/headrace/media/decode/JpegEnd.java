package io.headrace.media.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Tells a whole JPEG from a cut one by walking its markers to EOI. Needed because the library keeps only the first of its warnings, and
 * a cut may be the second. Called for pictures with a warning alone, since it looks at every byte.
 */
final class JpegEnd {
    private static final int SOS = 0xDA;
    private static final int EOI = 0xD9;

    private JpegEnd() {}

    /** Whether an EOI marker follows the first picture's scans. */
    static boolean isReached(MemorySegment jpeg) {
        long size = jpeg.byteSize();
        long at = 2;
        while (at + 1 < size) {
            int marker = u8(jpeg, at + 1);
            if (u8(jpeg, at) != 0xFF || marker == 0 || marker == 0xFF) {
                at++;
            } else if (marker == EOI) {
                return true;
            } else if (isAlone(marker) || marker == SOS) {
                at += 2;
            } else if (at + 3 < size) {
                at += 2 + (u8(jpeg, at + 2) << 8 | u8(jpeg, at + 3));
            } else {
                return false;
            }
        }
        return false;
    }

    private static boolean isAlone(int marker) {
        return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    }

    private static int u8(MemorySegment segment, long at) {
        return segment.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }
}
