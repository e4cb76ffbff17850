package io.headrace.media.process.video;

import io.headrace.media.process.Elements;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Window;

/**
 * Patches of pairs of frames: {@code [patches, 3 * 2 * patch * patch]} in the order (time / 2, row / 2, column / 2, row % 2,
 * column % 2), each (channel, time % 2, y, x). The last frame of an odd number fills both times.
 */
record TemporalPatches(int patch, Elements elements) implements FrameArrangement {
    static final int TIMES = 2;
    static final int MERGE = 2;
    private static final int SQUARES = 3 * TIMES;

    @Override
    public int bandRows() {
        return MERGE * patch;
    }

    @Override
    public void write(VideoLayout layout, int k, long band, int row, int rows, long out) {
        Window window = layout.window();
        int across = window.columns() / patch;
        int down = window.rows() / patch;
        long stride = Resizer.stride(window.columns());
        long bandPlane = rows * stride;
        long square = (long) patch * patch * elements.bytes();
        boolean alone = k % TIMES == 0 && k == layout.frames().count() - 1;
        long copy = alone ? square : 0;
        long patches = ((long) (k / TIMES) * down + row / patch) * across;
        long to = out + patches * SQUARES * square + k % TIMES * square;
        for (int column = 0; column < across; column += MERGE) {
            for (int i = 0; i < MERGE * MERGE; i++) {
                long in =
                        band
                                + (long) (i / MERGE) * patch * stride
                                + (long) patch * (column + i % MERGE);
                for (int c = 0; c < 3; c++) {
                    elements.square(c, in + c * bandPlane, stride, patch, to, copy);
                    to += TIMES * square;
                }
            }
        }
    }
}
