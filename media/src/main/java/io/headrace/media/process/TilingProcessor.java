package io.headrace.media.process;

import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import io.headrace.media.resize.Filter;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Scratch;
import io.headrace.media.resize.Window;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * GotOcr2ImageProcessor of InternVL: the picture is resized to a grid of squares nearest in aspect, which follow each other in reading order;
 * of several the whole picture is the last. Not thread-safe: it keeps its scratch memory.
 */
final class TilingProcessor implements ImageProcessor {
    private static final int SIDE = 448;
    private static final int PATCH = 14;
    private static final int TOKENS = 256;
    private static final int BAND_ROWS = 16;

    private final int maxTiles;
    private final Normalisation normalisation = Normalisation.imageNet();
    private final Elements elements;
    private final Resizer resizer = new Resizer(Filter.BICUBIC);
    private final Scratch band = new Scratch();

    TilingProcessor(int maxTiles, Wire wire) {
        this.maxTiles = maxTiles;
        this.elements = Elements.of(wire, normalisation);
    }

    @Override
    public ImageLayout layout(int width, int height) {
        Sizes.Size grid = Sizes.tileGrid(width, height, SIDE, maxTiles);
        int squares = grid.height() * grid.width();
        int tiles = squares > 1 ? squares + 1 : 1;
        return new ImageLayout(
                grid.width() * SIDE,
                grid.height() * SIDE,
                tiles,
                3 * SIDE * SIDE,
                0,
                0,
                tiles * TOKENS,
                tiles * (SIDE / PATCH) * (SIDE / PATCH));
    }

    @Override
    public void process(Picture picture, ImageLayout layout, MemorySegment out) {
        long bytes = layout.elements() * elements.bytes();
        if (!out.isNative() || out.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    "Output needs %d bytes of native memory, has %d"
                            .formatted(bytes, out.byteSize()));
        }
        try {
            int width = layout.resizedWidth();
            int height = layout.resizedHeight();
            fill(picture, width, height, out.address());
            if (layout.rows() > 1) {
                long whole = out.address() + (layout.rows() - 1) * tileBytes();
                fill(picture, SIDE, SIDE, whole);
            }
        } finally {
            Reference.reachabilityFence(picture);
            Reference.reachabilityFence(out);
            Reference.reachabilityFence(this);
        }
    }

    /** Resizes the picture to whole tiles and writes these. A band never reaches over two rows of tiles. */
    private void fill(Picture picture, int width, int height, long out) {
        int across = width / SIDE;
        long stride = Resizer.stride(width);
        long levels = band.address(3L * BAND_ROWS * stride);
        resizer.begin(picture, Window.whole(width, height), BAND_ROWS);
        for (int row = 0; row < height; row += BAND_ROWS) {
            resizer.rows(row, BAND_ROWS, levels);
            for (int column = 0; column < across; column++) {
                long tile = out + ((long) (row / SIDE) * across + column) * tileBytes();
                write(levels + (long) column * SIDE, stride, tile, row % SIDE);
            }
        }
    }

    private void write(long levels, long stride, long tile, int top) {
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < BAND_ROWS; y++) {
                long to = tile + ((long) c * SIDE + top + y) * SIDE * elements.bytes();
                elements.run(c, levels + (c * (long) BAND_ROWS + y) * stride, SIDE, to);
            }
        }
    }

    private long tileBytes() {
        return 3L * SIDE * SIDE * elements.bytes();
    }

    @Override
    public float[][] table() {
        return normalisation.table();
    }
}
