package io.headrace.media.process;

/**
 * Sizes of one picture's output.
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
