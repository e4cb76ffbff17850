package io.headrace.media.process;

import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Scratch;
import io.headrace.media.resize.Window;
import java.lang.foreign.MemorySegment;

/**
 * Patches of Qwen2-VL: {@code [patches, 3 * 2 * patch * patch]}. Two by two neighbours follow each other (row / 2, column / 2, row % 2,
 * column % 2); a patch is (channel, time, y, x) and both times are the same picture.
 */
record MergedPatches(int patch, Elements elements, Scratch stage) implements Arrangement {
    private static final int MERGE = 2;

    MergedPatches(int patch, Elements elements) {
        this(patch, elements, new Scratch());
    }

    @Override
    public Window window(ImageLayout layout) {
        return Window.whole(layout.resizedWidth(), layout.resizedHeight());
    }

    @Override
    public int bandRows() {
        return MERGE * patch;
    }

    @Override
    public void write(long band, int row, int rows, Window window, long out) {
        int across = window.columns() / patch;
        long stride = Resizer.stride(window.columns());
        long bandPlane = rows * stride;
        long square = (long) patch * patch * elements.bytes();
        long group = MERGE * MERGE * 6 * square;
        long staged = stage.address(group);
        long to = out + (long) (row / patch) * across * 6 * square;
        for (int column = 0; column < across; column += MERGE) {
            long at = staged;
            for (int i = 0; i < MERGE * MERGE; i++) {
                long in =
                        band
                                + (long) (i / MERGE) * patch * stride
                                + (long) patch * (column + i % MERGE);
                for (int c = 0; c < 3; c++) {
                    elements.square(c, in + c * bandPlane, stride, patch, at, square);
                    at += 2 * square;
                }
            }
            MemorySegment.copy(Scratch.MEMORY, staged, Scratch.MEMORY, to, group);
            to += group;
        }
    }
}
