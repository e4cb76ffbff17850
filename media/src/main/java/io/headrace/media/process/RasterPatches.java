package io.headrace.media.process;

import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Window;

/** Patches in reading order, each (y, x, channel): {@code [patches, patch * patch * 3]}. */
record RasterPatches(int patch, Elements elements) implements Arrangement {

    @Override
    public Window window(ImageLayout layout) {
        return Window.whole(layout.resizedWidth(), layout.resizedHeight());
    }

    @Override
    public int bandRows() {
        return patch;
    }

    @Override
    public void write(long band, int row, int rows, Window window, long out) {
        int across = window.columns() / patch;
        long stride = Resizer.stride(window.columns());
        long lineBytes = 3L * patch * elements.bytes();
        long start = out + (long) (row / patch) * across * patch * lineBytes;
        for (int column = 0; column < across; column++) {
            for (int y = 0; y < patch; y++) {
                long in = band + y * stride + (long) column * patch;
                elements.pixels(
                        in, rows * stride, patch, start + ((long) column * patch + y) * lineBytes);
            }
        }
    }
}
