package io.headrace.media.process;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import io.headrace.media.process.AnyresSizes.Canvas;
import io.headrace.media.resize.Filter;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Scratch;
import io.headrace.media.resize.Window;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * LlavaOnevisionImageProcessor. A picture alone in its sample is its whole at 384 x 384 and behind it the squares of its canvas, black
 * where it does not fill that; of several in a sample each is one square, padded with grey before the resize. Not thread-safe: it keeps
 * its scratch memory.
 */
final class AnyresProcessor implements ImageProcessor {
    private static final int SIDE = AnyresSizes.SIDE;
    private static final int SQUARE_ELEMENTS = 3 * SIDE * SIDE;
    private static final int SQUARE_POSITIONS = AnyresSizes.POSITIONS * AnyresSizes.POSITIONS;
    private static final int BAND_ROWS = 16;

    /** {@code int(mean * 255)}. */
    private static final int GREY = 127;

    private final long maxPixels;
    private final Normalisation normalisation = Normalisation.half();
    private final Elements elements;
    private final Resizer resizer = new Resizer(Filter.BICUBIC);
    private final PaddedSquare padded = new PaddedSquare(GREY);
    private final Scratch band = new Scratch();
    private final Scratch line = new Scratch();

    /**
     * @param maxPixels of a picture padded to a square
     */
    AnyresProcessor(long maxPixels, Wire wire) {
        this.maxPixels = maxPixels;
        this.elements = Elements.of(wire, normalisation);
    }

    @Override
    public ImageLayout layout(int width, int height) {
        Canvas canvas = AnyresSizes.best(width, height);
        Sizes.Size fit = AnyresSizes.fit(width, height, canvas);
        int squares = canvas.squares() + 1;
        return layout(
                fit.width(), fit.height(), squares, AnyresSizes.tokens(width, height, canvas));
    }

    /** Of several pictures each is one square: its features and a newline. */
    @Override
    public ImageLayout layout(int width, int height, int pictures) throws BadPayload {
        if (pictures == 1) {
            return layout(width, height);
        }
        long side = Math.max(width, height);
        if (side * side > maxPixels) {
            throw new BadPayload(
                    Reason.TOO_MANY_PIXELS,
                    "%d x %d padded to a square = %d pixels, the limit max_image_pixels is %d"
                            .formatted(width, height, side * side, maxPixels));
        }
        return layout(SIDE, SIDE, 1, SQUARE_POSITIONS + 1);
    }

    private static ImageLayout layout(int width, int height, int squares, int tokens) {
        return new ImageLayout(
                width, height, squares, SQUARE_ELEMENTS, 0, 0, tokens, squares * SQUARE_POSITIONS);
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
            Canvas one = new Canvas(1, 1);
            if (layout.rows() == 1) {
                fill(padded.of(picture), Window.whole(SIDE, SIDE), one, out.address());
                return;
            }
            fill(picture, Window.whole(SIDE, SIDE), one, out.address());
            int width = layout.resizedWidth();
            int height = layout.resizedHeight();
            Canvas canvas = AnyresSizes.filled(layout.rows() - 1, width, height);
            fill(picture, Window.whole(width, height), canvas, out.address() + squareBytes());
        } finally {
            Reference.reachabilityFence(picture);
            Reference.reachabilityFence(out);
            Reference.reachabilityFence(this);
        }
    }

    /** Writes the squares of a canvas in reading order, the resized picture in its middle. */
    private void fill(Picture picture, Window window, Canvas canvas, long out) {
        int left = (canvas.width() - window.columns()) / 2;
        int top = (canvas.height() - window.rows()) / 2;
        long stride = Resizer.stride(window.columns());
        long levels = band.address(3L * BAND_ROWS * stride);
        long black = line.address(2L * canvas.width());
        Scratch.MEMORY.asSlice(black, 2L * canvas.width()).fill((byte) 0);
        long shown = black + canvas.width();
        blank(0, top, black, canvas, out);
        resizer.begin(picture, window, BAND_ROWS);
        for (int row = 0; row < window.rows(); row += BAND_ROWS) {
            int rows = Math.min(BAND_ROWS, window.rows() - row);
            resizer.rows(row, rows, levels);
            for (int y = 0; y < rows; y++) {
                for (int c = 0; c < 3; c++) {
                    long from = levels + (c * (long) rows + y) * stride;
                    MemorySegment.copy(
                            Scratch.MEMORY, from, Scratch.MEMORY, shown + left, window.columns());
                    write(c, top + row + y, shown, canvas, out);
                }
            }
        }
        blank(top + window.rows(), canvas.height(), black, canvas, out);
    }

    private void blank(int from, int to, long black, Canvas canvas, long out) {
        for (int y = from; y < to; y++) {
            for (int c = 0; c < 3; c++) {
                write(c, y, black, canvas, out);
            }
        }
    }

    /** Writes a line of a channel into the squares that it crosses. */
    private void write(int channel, int row, long levels, Canvas canvas, long out) {
        long first = (long) (row / SIDE) * canvas.columns();
        long inSquare = ((long) channel * SIDE + row % SIDE) * SIDE * elements.bytes();
        for (int column = 0; column < canvas.columns(); column++) {
            long to = out + (first + column) * squareBytes() + inSquare;
            elements.run(channel, levels + (long) column * SIDE, SIDE, to);
        }
    }

    private long squareBytes() {
        return (long) SQUARE_ELEMENTS * elements.bytes();
    }

    @Override
    public float[][] table() {
        return normalisation.table();
    }
}
