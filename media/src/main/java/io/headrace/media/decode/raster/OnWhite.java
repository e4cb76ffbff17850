package io.headrace.media.decode.raster;

/** Composes a level with an alpha onto white, with the rounding of Pillow's {@code alpha_composite} (seven extra bits). */
public final class OnWhite {
    private static final int EXTRA_BITS = 7;
    private static final int HALF = 0x80 << EXTRA_BITS;

    private OnWhite() {}

    /** The level, 0 to 255, that shows of {@code level} at {@code alpha} over white. */
    public static int level(int level, int alpha) {
        int sum = ((level * alpha + 255 * (255 - alpha)) << EXTRA_BITS) + HALF;
        return (((sum >> 8) + sum) >> 8) >> EXTRA_BITS;
    }

    /** The same for red, green and blue in one int, red lowest. */
    static int pixel(int red, int green, int blue, int alpha) {
        return level(red, alpha) | level(green, alpha) << 8 | level(blue, alpha) << 16;
    }
}
