package io.headrace.media.text;

import io.headrace.media.process.ImageLayout;

/**
 * What a picture takes in the sequence.
 *
 * @param tokens positions; 0 where the model keeps pictures out of the text
 * @param gridHeight rows of tokens: the patch grid after the merge
 * @param gridWidth tokens of a row
 */
public record PictureSize(int tokens, int gridHeight, int gridWidth) {
    public PictureSize {
        if (tokens < 0 || gridHeight < 0 || tokens != (long) gridHeight * gridWidth) {
            throw new IllegalArgumentException(
                    "%d tokens in a grid of %d x %d".formatted(tokens, gridHeight, gridWidth));
        }
    }

    /**
     * The size of a laid-out picture. The patch grid is merged by the square root of patches a token; a model without a grid counts as
     * one row of tokens.
     */
    public static PictureSize of(ImageLayout layout) {
        int tokens = layout.tokens();
        long patches = (long) layout.gridHeight() * layout.gridWidth();
        if (tokens == 0 || patches == 0) {
            return new PictureSize(tokens, tokens == 0 ? 0 : 1, tokens);
        }
        int merge = (int) Math.round(Math.sqrt((double) patches / tokens));
        return new PictureSize(tokens, layout.gridHeight() / merge, layout.gridWidth() / merge);
    }
}
