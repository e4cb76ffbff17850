package io.headrace.media.process;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Canvases of LLaVA-OneVision: 1 to 6 squares down and across, of which a picture gets the one that shows most of its pixels, then that
 * with the least left over. Arithmetic is float64, as that of transformers 5.
 */
final class AnyresSizes {
    /** Pixels of a side of a square. */
    static final int SIDE = 384;

    /** Squares down and across, at most. */
    private static final int MOST = 6;

    /** Positions of SigLIP so400m along a side of a square. */
    static final int POSITIONS = 27;

    /** {@code anyres_max_9}: the features of a larger canvas are scaled down to about those of so many squares. */
    private static final int MOST_SQUARES = 9;

    private static final double SCALED_ABOVE = 1.1;

    /** Places to which {@code round(x, 7)} of the reference rounds. */
    private static final int ROUNDED_PLACES = 7;

    private AnyresSizes() {}

    /** Squares down and across. */
    record Canvas(int rows, int columns) {
        int squares() {
            return rows * columns;
        }

        int height() {
            return rows * SIDE;
        }

        int width() {
            return columns * SIDE;
        }
    }

    /** The canvas of a picture (select_best_resolution). */
    static Canvas best(int width, int height) {
        Canvas best = new Canvas(1, 1);
        long mostUsed = 0;
        long leastWaste = Long.MAX_VALUE;
        for (int rows = 1; rows <= MOST; rows++) {
            for (int columns = 1; columns <= MOST; columns++) {
                Canvas canvas = new Canvas(rows, columns);
                double scale =
                        Math.min(
                                (double) canvas.width() / width, (double) canvas.height() / height);
                long shown = ((long) (width * scale)) * ((long) (height * scale));
                long used = Math.min(shown, (long) width * height);
                long waste = (long) canvas.width() * canvas.height() - used;
                if (used > mostUsed || (used == mostUsed && waste < leastWaste)) {
                    best = canvas;
                    mostUsed = used;
                    leastWaste = waste;
                }
            }
        }
        return best;
    }

    /** The size of a picture within its canvas, one side of which it fills (get_patch_output_size). */
    static Sizes.Size fit(int width, int height, Canvas canvas) {
        double across = (double) canvas.width() / width;
        double down = (double) canvas.height() / height;
        return across < down
                ? new Sizes.Size(
                        Math.min((int) Math.ceil(height * across), canvas.height()), canvas.width())
                : new Sizes.Size(
                        canvas.height(), Math.min((int) Math.ceil(width * down), canvas.width()));
    }

    /**
     * The canvas of so many squares that a picture fitted into it fills across or down. It is the only one: of two canvases of equal area
     * that a size fills, the rows of the one and the columns of the other make a smaller one that shows as much, which is chosen before.
     */
    static Canvas filled(int squares, int width, int height) {
        for (int rows = 1; rows <= Math.min(MOST, squares); rows++) {
            Canvas canvas = new Canvas(rows, squares / rows);
            boolean inside = width <= canvas.width() && height <= canvas.height();
            boolean fills = width == canvas.width() || height == canvas.height();
            if (squares % rows == 0 && canvas.columns() <= MOST && inside && fills) {
                return canvas;
            }
        }
        throw new IllegalArgumentException(
                "No canvas of %d squares is filled by %d x %d".formatted(squares, width, height));
    }

    /**
     * Tokens of a picture with tiles: its whole, the features of the canvas without its padding, and a newline behind each of their rows
     * (LlavaOnevisionProcessor).
     */
    static int tokens(int width, int height, Canvas canvas) {
        int down = POSITIONS * canvas.rows();
        int across = POSITIONS * canvas.columns();
        if ((double) width / height > (double) across / down) {
            int shown = rounded(height * ((double) across / width));
            down -= (down - shown) / 2 * 2;
        } else {
            int shown = rounded(width * ((double) down / height));
            across -= (across - shown) / 2 * 2;
        }
        int whole = POSITIONS * POSITIONS;
        double ratio = Math.sqrt((double) (down * across) / (MOST_SQUARES * whole));
        if (ratio > SCALED_ABOVE) {
            down = wholeTimes(down, ratio);
            across = wholeTimes(across, ratio);
        }
        return whole + down * across + down;
    }

    /** {@code int(round(x, 7))} of Python, which rounds the exact value. */
    private static int rounded(double x) {
        return new BigDecimal(x).setScale(ROUNDED_PLACES, RoundingMode.HALF_EVEN).intValue();
    }

    /** {@code a // b} of Python for positive floats. */
    private static int wholeTimes(double a, double b) {
        double quotient = (a - a % b) / b;
        double whole = Math.floor(quotient);
        return (int) (quotient - whole > 0.5 ? whole + 1 : whole);
    }
}
