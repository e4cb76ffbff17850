package io.headrace.media.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Converts four inks, inverted as Adobe stores them and as Pillow takes every CMYK JPEG, to RGB with the rounding of Pillow: black
 * scales the three colours by {@code (t + (t >> 8)) >> 8} of {@code t = ink * light + 128}.
 */
final class Cmyk {
    private Cmyk() {}

    /** Converts {@code pixels} quadruples to triples in other memory. */
    static void toRgb(MemorySegment inks, MemorySegment rgb, long pixels) {
        for (long i = 0; i < pixels; i++) {
            int quad = inks.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i);
            int light = quad >>> 24;
            rgb.set(ValueLayout.JAVA_BYTE, 3 * i, level(quad & 0xFF, light));
            rgb.set(ValueLayout.JAVA_BYTE, 3 * i + 1, level(quad >> 8 & 0xFF, light));
            rgb.set(ValueLayout.JAVA_BYTE, 3 * i + 2, level(quad >> 16 & 0xFF, light));
        }
    }

    private static byte level(int inverted, int light) {
        int t = (255 - inverted) * light + 128;
        return (byte) Math.max(0, light - (((t >> 8) + t) >> 8));
    }
}
