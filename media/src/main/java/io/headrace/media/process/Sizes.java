package io.headrace.media.process;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;

/**
 * The sizes that the Hugging Face processors give a picture, each as transformers 5 computes it. Arithmetic is float64, as Python's;
 * rounding is half to even where Python's {@code round} is used and down where {@code int} is.
 */
public final class Sizes {
    private static final int MOST_ASPECT = 200;
    private static final double NAFLEX_PRECISION = 1e-5;

    private Sizes() {}

    /** Height and width in pixels. */
    public record Size(int height, int width) {}

    /** The short side becomes {@code side}, the long side keeps the aspect, rounded down (get_resize_output_image_size). */
    public static Size shortestEdge(int width, int height, int side) {
        return width <= height
                ? new Size((int) ((double) ((long) side * height) / width), side)
                : new Size(side, (int) ((double) ((long) side * width) / height));
    }

    /** First row or column of a centre crop. */
    public static int cropStart(int full, int side) {
        return (int) ((full - side) / 2.0);
    }

    /**
     * Both sides become multiples of {@code factor}, within the pixel bounds (smart_resize of Qwen2-VL).
     *
     * @throws BadPayload if one side is more than 200 times the other
     */
    public static Size smart(int width, int height, int factor, long minPixels, long maxPixels)
            throws BadPayload {
        checkAspect(width, height);
        double h = height;
        double w = width;
        double snappedHeight = Math.rint(h / factor) * factor;
        double snappedWidth = Math.rint(w / factor) * factor;
        if (snappedHeight * snappedWidth > maxPixels) {
            double beta = Math.sqrt(h * w / maxPixels);
            snappedHeight = Math.max(factor, Math.floor(h / beta / factor) * factor);
            snappedWidth = Math.max(factor, Math.floor(w / beta / factor) * factor);
        } else if (snappedHeight * snappedWidth < minPixels) {
            double beta = Math.sqrt(minPixels / (h * w));
            snappedHeight = Math.ceil(h * beta / factor) * factor;
            snappedWidth = Math.ceil(w * beta / factor) * factor;
        }
        return new Size((int) snappedHeight, (int) snappedWidth);
    }

    /** Least and most pixels. */
    public record PixelBounds(long least, long most) {}

    /**
     * As {@link #smart}, with bounds for all frames together (smart_resize of Qwen3-VL's video processor). A frame with a side
     * below {@code factor} is first enlarged until it has none.
     */
    public static Size smartVideo(
            int width, int height, int factor, PixelBounds bounds, int frames, int temporal)
            throws BadPayload {
        double h = height;
        double w = width;
        if (height < factor || width < factor) {
            double scale = Math.max(factor / h, factor / w);
            h = (int) (height * scale);
            w = (int) (width * scale);
        }
        checkAspect((int) w, (int) h);
        double times = Math.rint((double) frames / temporal) * temporal;
        double snappedHeight = Math.rint(h / factor) * factor;
        double snappedWidth = Math.rint(w / factor) * factor;
        if (times * snappedHeight * snappedWidth > bounds.most()) {
            double beta = Math.sqrt(frames * h * w / bounds.most());
            snappedHeight = Math.max(factor, Math.floor(h / beta / factor) * factor);
            snappedWidth = Math.max(factor, Math.floor(w / beta / factor) * factor);
        } else if (times * snappedHeight * snappedWidth < bounds.least()) {
            double beta = Math.sqrt(bounds.least() / (frames * h * w));
            snappedHeight = Math.ceil(h * beta / factor) * factor;
            snappedWidth = Math.ceil(w * beta / factor) * factor;
        }
        return new Size((int) snappedHeight, (int) snappedWidth);
    }

    private static void checkAspect(int width, int height) throws BadPayload {
        if ((double) Math.max(height, width) / Math.min(height, width) > MOST_ASPECT) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Aspect ratio of %d x %d pixels is above the limit of %d"
                            .formatted(width, height, MOST_ASPECT));
        }
    }

    /** The largest scale, by bisection, at which both sides, rounded up to patches, make at most {@code maxPatches} (SigLIP 2). */
    static Size naflex(int width, int height, int patch, int maxPatches) {
        double lo = NAFLEX_PRECISION / 10;
        double hi = 100;
        while (hi - lo >= NAFLEX_PRECISION) {
            double scale = (lo + hi) / 2;
            long patches =
                    (long) (snapUp(scale, height, patch) / patch)
                            * (snapUp(scale, width, patch) / patch);
            if (patches <= maxPatches) {
                lo = scale;
            } else {
                hi = scale;
            }
        }
        return new Size(snapUp(lo, height, patch), snapUp(lo, width, patch));
    }

    /**
     * Rows and columns of the grid of at most {@code most} squares whose aspect is nearest to the picture's; of two equally near the later,
     * larger one while the picture has more than half of its pixels (get_optimal_tiled_canvas of GotOcr2).
     */
    static Size tileGrid(int width, int height, int side, int most) {
        double aspect = (double) width / height;
        Size best = new Size(1, 1);
        double nearest = Double.POSITIVE_INFINITY;
        for (int area = 1; area <= most; area++) {
            for (int columns = 1; columns <= area; columns++) {
                if (area % columns != 0) {
                    continue;
                }
                int rows = area / columns;
                double distance = Math.abs(aspect - (double) columns / rows);
                boolean fills = (double) width * height > 0.5 * side * side * area;
                if (distance < nearest || (distance == nearest && fills)) {
                    best = new Size(rows, columns);
                    nearest = distance;
                }
            }
        }
        return best;
    }

    private static int snapUp(double scale, int pixels, int patch) {
        return Math.max(patch, (int) Math.ceil(pixels * scale / patch) * patch);
    }
}
