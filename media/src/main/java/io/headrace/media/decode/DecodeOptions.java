package io.headrace.media.decode;

import io.headrace.engine.recipe.ProcessSpec;

/**
 * How pictures are decoded.
 *
 * @param applyOrientation whether they are turned upright
 * @param alpha what lies behind transparent pixels
 * @param maxImagePixels pictures above it are refused before memory is taken
 * @param atLeastWidth upright width in pixels below which a JPEG is not reduced while decoding; 0: never reduced
 * @param atLeastHeight the same for the height; 0: never reduced
 */
public record DecodeOptions(
        boolean applyOrientation,
        ProcessSpec.Alpha alpha,
        long maxImagePixels,
        int atLeastWidth,
        int atLeastHeight) {

    public DecodeOptions {
        if (maxImagePixels <= 0 || maxImagePixels > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "maxImagePixels is %d; 1 to %d are allowed"
                            .formatted(maxImagePixels, Integer.MAX_VALUE));
        }
        if (atLeastWidth < 0 || atLeastHeight < 0) {
            throw new IllegalArgumentException(
                    "Least size of %d x %d".formatted(atLeastWidth, atLeastHeight));
        }
    }

    /** Full size and upright. */
    public static DecodeOptions exact(ProcessSpec.Alpha alpha, long maxImagePixels) {
        return new DecodeOptions(true, alpha, maxImagePixels, 0, 0);
    }

    /** The same options for a picture that may be reduced down to this upright size. */
    public DecodeOptions atLeast(int width, int height) {
        return new DecodeOptions(applyOrientation, alpha, maxImagePixels, width, height);
    }

    /**
     * The same options under {@code quality: fast}, for a picture that is then resized to this upright size. It may be reduced down to
     * one and a half times that, so that the resize still filters; see decision 0004.
     */
    public DecodeOptions fast(int resizedWidth, int resizedHeight) {
        return atLeast(oneAndAHalf(resizedWidth), oneAndAHalf(resizedHeight));
    }

    private static int oneAndAHalf(int pixels) {
        return Math.ceilDiv(3 * pixels, 2);
    }

    boolean mayReduce() {
        return atLeastWidth > 0 && atLeastHeight > 0;
    }
}
