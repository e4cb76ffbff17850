package io.headrace.media.process;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Patches of Qwen2-VL: {@code [patches, 3 * 2 * patch * patch]}. Two by two neighbours follow each other (row / 2, column / 2, row % 2,
 * column % 2); a patch is (channel, time, y, x) and both times are the same picture.
 */
record MergedPatches(int patch, Elements elements) implements Arrangement {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VectorSpecies<Byte> SPECIES =
            VectorSpecies.of(byte.class, Lanes.INTS.vectorShape());
    private static final int MERGE = 2;

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
        long plane = (long) patch * patch * elements.bytes();
        long bandPlane = rows * stride;
        long to = out + (long) (row / patch) * across * 6 * plane;
        for (int pair = 0; pair < across / MERGE; pair++) {
            for (int i = 0; i < MERGE * MERGE; i++) {
                long in =
                        band
                                + (long) (i / MERGE) * patch * stride
                                + (long) patch * (pair * MERGE + i % MERGE);
                for (int c = 0; c < 3; c++) {
                    elements.block(c, in + c * bandPlane, stride, patch, patch, to);
                    copy(to, to + plane, plane);
                    to += 2 * plane;
                }
            }
        }
    }

    /** Copies a plane, of at least one vector, onto the next. */
    private static void copy(long from, long to, long bytes) {
        long last = bytes - SPECIES.length();
        for (long at = 0; at < last; at += SPECIES.length()) {
            move(from + at, to + at);
        }
        move(from + last, to + last);
    }

    private static void move(long from, long to) {
        ByteVector.fromMemorySegment(SPECIES, Scratch.MEMORY, from, ORDER)
                .intoMemorySegment(Scratch.MEMORY, to, ORDER);
    }
}
