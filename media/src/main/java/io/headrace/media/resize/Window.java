package io.headrace.media.resize;

/**
 * The part of a resized picture that is made.
 *
 * @param width width in pixels of the whole resized picture
 * @param height its height in pixels
 * @param left first column that is made
 * @param top first row that is made
 * @param columns how many columns are made
 * @param rows how many rows are made
 */
public record Window(int width, int height, int left, int top, int columns, int rows) {
    public Window {
        if (left < 0
                || top < 0
                || columns <= 0
                || rows <= 0
                || left + columns > width
                || top + rows > height) {
            throw new IllegalArgumentException(
                    "Window of %d x %d at %d, %d of a picture of %d x %d"
                            .formatted(columns, rows, left, top, width, height));
        }
    }

    /** All of a picture of this size. */
    public static Window whole(int width, int height) {
        return new Window(width, height, 0, 0, width, height);
    }
}
