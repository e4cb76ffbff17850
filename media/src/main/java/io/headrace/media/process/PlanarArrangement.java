package io.headrace.media.process;

import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Window;

/** A square of planes: {@code [3, side, side]}, the centre of the resized picture. */
record PlanarArrangement(int side, Elements elements) implements Arrangement {
    private static final int BAND_ROWS = 16;

    @Override
    public Window window(ImageLayout layout) {
        int width = layout.resizedWidth();
        int height = layout.resizedHeight();
        return new Window(
                width,
                height,
                Sizes.cropStart(width, side),
                Sizes.cropStart(height, side),
                side,
                side);
    }

    @Override
    public int bandRows() {
        return BAND_ROWS;
    }

    @Override
    public void write(long band, int row, int rows, Window window, long out) {
        long stride = Resizer.stride(side);
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < rows; y++) {
                long to = out + ((long) c * side + row + y) * side * elements.bytes();
                elements.run(c, band + (c * (long) rows + y) * stride, side, to);
            }
        }
    }
}
