package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Turns the samples of a PNG's rows into RGB as Pillow does: 16-bit colour keeps its high byte; 16-bit grey is cut at 255; a
 * transparent grey or colour of tRNS is compared by its low byte with what is left of the sample.
 */
final class PngPixels {
    private static final int NO_COLOUR = -1;

    private final int colourType;
    private final int bits;
    private final boolean onWhite;
    private final int transparent;
    private final int[] lookup;

    /**
     * @param colourType 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA
     * @param bits of a sample
     * @param onWhite whether transparency is composed onto white; else it is dropped
     */
    PngPixels(
            int colourType,
            int bits,
            boolean onWhite,
            byte[] palette,
            byte @Nullable [] transparency)
            throws BadPayload {
        if (!isLegal(colourType, bits)) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "PNG of colour type %d with %d bits".formatted(colourType, bits),
                    24);
        }
        this.colourType = colourType;
        this.bits = bits;
        this.onWhite = onWhite;
        this.transparent = onWhite ? transparent(colourType, bits, transparency) : NO_COLOUR;
        this.lookup = lookup(palette, transparency);
    }

    private static boolean isLegal(int colourType, int bits) {
        return switch (colourType) {
            case 0 -> bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
            case 3 -> bits == 1 || bits == 2 || bits == 4 || bits == 8;
            case 2, 4, 6 -> bits == 8 || bits == 16;
            default -> false;
        };
    }

    /** Samples of a pixel. */
    int channels() {
        return switch (colourType) {
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> 1;
        };
    }

    /** Bytes of a row of so many pixels. */
    long rowBytes(int pixels) {
        return ((long) pixels * channels() * bits + 7) / 8;
    }

    /** The distance of the bytes that filters compare. */
    int step() {
        return Math.max(1, channels() * bits / 8);
    }

    /** Whether rows are RGB already. */
    boolean isPlain() {
        return colourType == 2 && bits == 8 && transparent == NO_COLOUR;
    }

    private static int transparent(int colourType, int bits, byte @Nullable [] trns) {
        if (trns == null) {
            return NO_COLOUR;
        }
        if (colourType == 0 && trns.length >= 2) {
            int low = trns[1] & 0xFF;
            int level = bits == 1 ? (low != 0 || trns[0] != 0 ? 255 : 0) : low;
            return level * 0x010101;
        }
        return colourType == 2 && trns.length >= 6
                ? (trns[1] & 0xFF) | (trns[3] & 0xFF) << 8 | (trns[5] & 0xFF) << 16
                : NO_COLOUR;
    }

    /** The RGB of each sample of at most 8 bits. */
    private int[] lookup(byte[] palette, byte @Nullable [] trns) throws BadPayload {
        int[] table = new int[256];
        if (colourType == 3) {
            if (palette.length < 3) {
                throw new BadPayload(Reason.CORRUPT, "PNG without its palette");
            }
            for (int i = 0; i < palette.length / 3; i++) {
                int alpha = onWhite && trns != null && i < trns.length ? trns[i] & 0xFF : 255;
                table[i] =
                        OnWhite.pixel(
                                palette[3 * i] & 0xFF,
                                palette[3 * i + 1] & 0xFF,
                                palette[3 * i + 2] & 0xFF,
                                alpha);
            }
        } else if (colourType == 0 && bits <= 8) {
            int most = (1 << bits) - 1;
            for (int i = 0; i <= most; i++) {
                table[i] = shown(i * 255 / most * 0x010101);
            }
        }
        return table;
    }

    private int shown(int rgb) {
        return rgb == transparent ? 0xFFFFFF : rgb;
    }

    /** Writes pixels {@code 0} to {@code pixels - 1} of a row, whose bytes begin at {@code from}, as RGB. */
    void convert(byte[] row, int from, int pixels, byte[] rgb) {
        switch (colourType) {
            case 2 -> colour(row, from, pixels, rgb);
            case 4 -> greyAlpha(row, from, pixels, rgb);
            case 6 -> colourAlpha(row, from, pixels, rgb);
            default -> {
                if (bits == 16) {
                    grey16(row, from, pixels, rgb);
                } else {
                    looked(row, from, pixels, rgb);
                }
            }
        }
    }

    private void looked(byte[] row, int from, int pixels, byte[] rgb) {
        int mask = (1 << bits) - 1;
        for (int i = 0; i < pixels; i++) {
            int bit = i * bits;
            int sample = (row[from + (bit >> 3)] & 0xFF) >> (8 - bits - (bit & 7)) & mask;
            put(rgb, i, lookup[sample]);
        }
    }

    private void grey16(byte[] row, int from, int pixels, byte[] rgb) {
        for (int i = 0; i < pixels; i++) {
            int level = row[from + 2 * i] == 0 ? row[from + 2 * i + 1] & 0xFF : 255;
            put(rgb, i, shown(level * 0x010101));
        }
    }

    private void colour(byte[] row, int from, int pixels, byte[] rgb) {
        int sampleBytes = bits / 8;
        for (int i = 0; i < pixels; i++) {
            int at = from + 3 * i * sampleBytes;
            put(
                    rgb,
                    i,
                    shown(
                            (row[at] & 0xFF)
                                    | (row[at + sampleBytes] & 0xFF) << 8
                                    | (row[at + 2 * sampleBytes] & 0xFF) << 16));
        }
    }

    private void greyAlpha(byte[] row, int from, int pixels, byte[] rgb) {
        int sampleBytes = bits / 8;
        for (int i = 0; i < pixels; i++) {
            int at = from + 2 * i * sampleBytes;
            int level = row[at] & 0xFF;
            int shown = onWhite ? OnWhite.level(level, row[at + sampleBytes] & 0xFF) : level;
            put(rgb, i, shown * 0x010101);
        }
    }

    private void colourAlpha(byte[] row, int from, int pixels, byte[] rgb) {
        int sampleBytes = bits / 8;
        for (int i = 0; i < pixels; i++) {
            int at = from + 4 * i * sampleBytes;
            int red = row[at] & 0xFF;
            int green = row[at + sampleBytes] & 0xFF;
            int blue = row[at + 2 * sampleBytes] & 0xFF;
            int alpha = onWhite ? row[at + 3 * sampleBytes] & 0xFF : 255;
            put(
                    rgb,
                    i,
                    alpha == 255
                            ? red | green << 8 | blue << 16
                            : OnWhite.pixel(red, green, blue, alpha));
        }
    }

    private static void put(byte[] rgb, int pixel, int value) {
        rgb[3 * pixel] = (byte) value;
        rgb[3 * pixel + 1] = (byte) (value >> 8);
        rgb[3 * pixel + 2] = (byte) (value >> 16);
    }
}
