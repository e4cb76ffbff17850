package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;

/** Turns the samples of a TIFF's rows into RGB as Pillow does: 16-bit colour keeps its high byte, 16-bit grey is cut at 255. */
final class TiffPixels {
    private static final int WHITE_IS_ZERO = 0;
    private static final int BLACK_IS_ZERO = 1;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int CMYK = 5;
    private static final int STRAIGHT_ALPHA = 2;

    private final int photometric;
    private final int bits;
    private final int samples;
    private final boolean bigEndian;
    private final int alphaSample;
    private final int[] palette = new int[256];

    TiffPixels(TiffTags tags, boolean onWhite) throws BadPayload {
        photometric = tags.value(TiffTags.PHOTOMETRIC, WHITE_IS_ZERO);
        bits = tags.value(TiffTags.BITS, 1);
        samples = tags.value(TiffTags.SAMPLES, 1);
        bigEndian = tags.bigEndian();
        int colours = colours(photometric);
        boolean single = samples == 1 && photometric != RGB && photometric != CMYK;
        boolean depths =
                bits == 8 || bits == 16 || (single && (bits == 1 || bits == 2 || bits == 4));
        if (!depths || samples < colours || samples > colours + 1) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "TIFF of photometric %d with %d samples of %d bits"
                            .formatted(photometric, samples, bits));
        }
        boolean straight =
                samples > colours && tags.value(TiffTags.EXTRA_SAMPLES, 0) == STRAIGHT_ALPHA;
        if (samples > colours && tags.value(TiffTags.EXTRA_SAMPLES, 0) == 1) {
            throw new BadPayload(Reason.UNSUPPORTED, "TIFF with premultiplied alpha");
        }
        alphaSample = straight && onWhite && photometric != CMYK ? colours : -1;
        if (photometric == PALETTE) {
            fillPalette(tags.list(TiffTags.COLOUR_MAP));
        }
    }

    private static int colours(int photometric) throws BadPayload {
        return switch (photometric) {
            case WHITE_IS_ZERO, BLACK_IS_ZERO, PALETTE -> 1;
            case RGB -> 3;
            case CMYK -> 4;
            default ->
                    throw new BadPayload(Reason.UNSUPPORTED, "TIFF of photometric " + photometric);
        };
    }

    private void fillPalette(long[] map) throws BadPayload {
        int entries = map.length / 3;
        if (bits > 8 || entries < 1 << bits) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "TIFF palette of %d colours for %d bits".formatted(entries, bits));
        }
        for (int i = 0; i < 1 << bits; i++) {
            palette[i] =
                    (int)
                            (map[i] >> 8
                                    | map[entries + i] >> 8 << 8
                                    | map[2 * entries + i] >> 8 << 16);
        }
    }

    int bits() {
        return bits;
    }

    int samples() {
        return samples;
    }

    int get16(byte[] block, int at) {
        int first = block[at] & 0xFF;
        int second = block[at + 1] & 0xFF;
        return bigEndian ? first << 8 | second : second << 8 | first;
    }

    void put16(byte[] block, int at, int value) {
        block[at] = (byte) (bigEndian ? value >> 8 : value);
        block[at + 1] = (byte) (bigEndian ? value : value >> 8);
    }

    /** A sample of a row that begins at {@code from}. */
    private int sample(byte[] block, int from, int index) {
        if (bits == 8) {
            return block[from + index] & 0xFF;
        }
        if (bits == 16) {
            return get16(block, from + 2 * index);
        }
        int bit = index * bits;
        return ((block[from + (bit >> 3)] & 0xFF) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
    }

    private int level(byte[] block, int from, int index) {
        int sample = sample(block, from, index);
        return bits == 16 ? sample >> 8 : sample;
    }

    private int grey(byte[] block, int from, int index) {
        int sample = sample(block, from, index);
        if (bits == 16 && samples == 1) {
            return Math.min(sample, 255);
        }
        int level = bits == 16 ? sample >> 8 : sample * 255 / ((1 << bits) - 1);
        return photometric == WHITE_IS_ZERO ? 255 - level : level;
    }

    /** Writes pixels 0 to {@code pixels - 1} of a row as RGB. */
    void convert(byte[] block, int from, int pixels, byte[] rgb) {
        for (int i = 0; i < pixels; i++) {
            int at = i * samples;
            int colour =
                    switch (photometric) {
                        case RGB ->
                                level(block, from, at)
                                        | level(block, from, at + 1) << 8
                                        | level(block, from, at + 2) << 16;
                        case CMYK -> cmyk(block, from, at);
                        case PALETTE -> palette[sample(block, from, at) & 0xFF];
                        default -> grey(block, from, at) * 0x010101;
                    };
            if (alphaSample >= 0) {
                int alpha = level(block, from, at + alphaSample);
                colour = OnWhite.pixel(colour & 0xFF, colour >> 8 & 0xFF, colour >> 16, alpha);
            }
            rgb[3 * i] = (byte) colour;
            rgb[3 * i + 1] = (byte) (colour >> 8);
            rgb[3 * i + 2] = (byte) (colour >> 16);
        }
    }

    private int cmyk(byte[] block, int from, int at) {
        int light = 255 - level(block, from, at + 3);
        return ink(level(block, from, at), light)
                | ink(level(block, from, at + 1), light) << 8
                | ink(level(block, from, at + 2), light) << 16;
    }

    private static int ink(int ink, int light) {
        int t = ink * light + 128;
        return Math.max(0, light - (((t >> 8) + t) >> 8));
    }
}
