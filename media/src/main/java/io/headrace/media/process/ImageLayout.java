package io.headrace.media.process;

/**
 * Sizes of one picture's output.
 *
 * <p>A patch model's rows are its real patches: who lays out a batch of a fixed number of patches (SigLIP 2) adds the rows of padding and
 * the mask. Tokens are those of Qwen's merged patches, and for the encoders without a language model their own: CLIP's 32-pixel patches
 * and the class token, SigLIP's 16-pixel patches, SigLIP 2's patches.
 *
 * @param resizedWidth width in pixels after the resize, before any crop
 * @param resizedHeight height in pixels after the resize, before any crop
 * @param rows first dimension of the picture's part of {@code pixel_values}: patches where the model takes patches, else 1
 * @param rowElements elements of one row
 * @param gridHeight patches down; 0 where the model has no patch grid
 * @param gridWidth patches across; 0 where the model has no patch grid
 * @param tokens positions that the picture takes in the backbone's sequence
 * @param patches positions of the vision encoder
 */
public record ImageLayout(
        int resizedWidth,
        int resizedHeight,
        int rows,
        int rowElements,
        int gridHeight,
        int gridWidth,
        int tokens,
        int patches) {

    /** Elements of the whole output. */
    public long elements() {
        return (long) rows * rowElements;
    }
}
