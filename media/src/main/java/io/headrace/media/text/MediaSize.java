package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.process.ImageLayout;

/**
 * What a picture, video or audio takes in the sequence: a grid of tokens, laid out time by time and row by row. Audio is one column of
 * times.
 *
 * @param gridTime times; 1 for a picture, 0 where the model keeps media out of the text
 * @param gridHeight rows of tokens: the patch grid after the merge
 * @param gridWidth tokens of a row
 * @param timeInterval time positions from one time to the next, in float32 as the reference has it; only videos have one that counts
 */
public record MediaSize(
        MediaKind kind, int gridTime, int gridHeight, int gridWidth, float timeInterval) {
    public MediaSize {
        if (gridTime < 0 || gridHeight < 0 || gridWidth < 0) {
            throw new IllegalArgumentException(
                    "Tokens in a grid of %d x %d x %d".formatted(gridTime, gridHeight, gridWidth));
        }
    }

    /** A picture of a grid of tokens. */
    public static MediaSize image(int gridHeight, int gridWidth) {
        return new MediaSize(MediaKind.IMAGE, 1, gridHeight, gridWidth, 0);
    }

    /** Media that the model keeps out of the text. */
    public static MediaSize apart(MediaKind kind) {
        return new MediaSize(kind, 0, 0, 0, 0);
    }

    /**
     * The size of a laid-out picture. The patch grid is merged by the square root of patches a token; a model without a grid counts as
     * one row of tokens.
     */
    public static MediaSize of(ImageLayout layout) {
        int tokens = layout.tokens();
        long patches = (long) layout.gridHeight() * layout.gridWidth();
        if (tokens == 0) {
            return apart(MediaKind.IMAGE);
        }
        if (patches == 0) {
            return image(1, tokens);
        }
        int merge = (int) Math.round(Math.sqrt((double) patches / tokens));
        return image(layout.gridHeight() / merge, layout.gridWidth() / merge);
    }

    /** Positions that it takes. */
    public int tokens() {
        return Math.multiplyExact(gridTime, Math.multiplyExact(gridHeight, gridWidth));
    }
}
