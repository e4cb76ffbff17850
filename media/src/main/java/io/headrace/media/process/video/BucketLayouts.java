package io.headrace.media.process.video;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.process.Sizes;
import io.headrace.media.resize.Window;

/** Frames and sizes of a video diffusion model's input. */
record BucketLayouts(SizeBuckets buckets) implements LayoutRule {
    /** Aspects (natural logarithms) nearer than this count as equal: 1280 x 720 and 832 x 480 are 0.026 apart. */
    private static final double SAME_ASPECT = 0.03;

    /** A frame counts as begun a little early, so that the rounding of a product does not take the one before. */
    private static final double SLACK = 1e-6;

    @Override
    public VideoLayout layout(VideoFacts facts) throws BadPayload {
        SampledFrames frames = frames(facts);
        SizeBuckets.Size size = nearest(facts.uprightWidth(), facts.uprightHeight());
        int side = buckets.latentStride() * buckets.patch();
        Grid grid =
                new Grid(
                        (frames.count() - 1) / buckets.timeStride() + 1,
                        size.height() / side,
                        size.width() / side);
        long elements = 3L * frames.count() * size.pixels();
        if (elements > Integer.MAX_VALUE) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Bucket of %d frames of %d x %d is %d elements; at most %d fit a row"
                            .formatted(
                                    frames.count(),
                                    size.width(),
                                    size.height(),
                                    elements,
                                    Integer.MAX_VALUE));
        }
        return new VideoLayout(
                frames,
                cover(facts.uprightWidth(), facts.uprightHeight(), size),
                grid,
                1,
                (int) elements,
                grid.positions(),
                grid.positions() * buckets.patch() * buckets.patch(),
                0);
    }

    /** Frame {@code k} is the one shown at {@code k / rate} by the mean rate; the count is the most that the latent holds whole. */
    private SampledFrames frames(VideoFacts facts) throws BadPayload {
        if (facts.frames() == 1 && facts.meanRate() == 0) {
            return SampledFrames.of(0);
        }
        double step = facts.meanRate() > 0 ? facts.meanRate() / buckets.rate() : 1;
        long there = (long) Math.floor(Math.max(0, facts.frames() - 1) / step + SLACK) + 1;
        int stride = buckets.timeStride();
        int most = (int) Math.min(there, buckets.mostFrames());
        int count = (most - 1) / stride * stride + 1;
        if (facts.frames() == 0 || count < buckets.leastFrames()) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Video of %d frames, %.3f a second, makes %d at %s a second; the bucket needs %d"
                            .formatted(
                                    facts.frames(),
                                    facts.meanRate(),
                                    facts.frames() == 0 ? 0 : count,
                                    buckets.rate(),
                                    buckets.leastFrames()));
        }
        int[] frames = new int[count];
        for (int k = 0; k < count; k++) {
            frames[k] = (int) Math.min(facts.frames() - 1L, (long) (k * step + SLACK));
        }
        return SampledFrames.of(frames);
    }

    /** The nearest aspect; of several alike the largest that the video fills, else the smallest. */
    private SizeBuckets.Size nearest(int width, int height) {
        double aspect = Math.log((double) width / height);
        double least = Double.MAX_VALUE;
        for (SizeBuckets.Size size : buckets.sizes()) {
            least = Math.min(least, Math.abs(size.aspect() - aspect));
        }
        SizeBuckets.Size best = null;
        for (SizeBuckets.Size size : buckets.sizes()) {
            boolean alike = Math.abs(size.aspect() - aspect) <= least + SAME_ASPECT;
            if (alike && (best == null || isBetter(size, best, (long) width * height))) {
                best = size;
            }
        }
        return java.util.Objects.requireNonNull(best);
    }

    private static boolean isBetter(SizeBuckets.Size size, SizeBuckets.Size best, long pixels) {
        boolean fills = size.pixels() <= pixels;
        boolean bestFills = best.pixels() <= pixels;
        if (fills != bestFills) {
            return fills;
        }
        return fills ? size.pixels() > best.pixels() : size.pixels() < best.pixels();
    }

    /** Resized so that both sides cover the bucket, the longer one rounded half to even; then its centre. */
    private static Window cover(int width, int height, SizeBuckets.Size size) {
        double across = (double) size.width() / width;
        double down = (double) size.height() / height;
        int resizedWidth =
                down > across
                        ? Math.max(size.width(), (int) Math.rint(width * down))
                        : size.width();
        int resizedHeight =
                down > across
                        ? size.height()
                        : Math.max(size.height(), (int) Math.rint(height * across));
        return new Window(
                resizedWidth,
                resizedHeight,
                Sizes.cropStart(resizedWidth, size.width()),
                Sizes.cropStart(resizedHeight, size.height()),
                size.width(),
                size.height());
    }
}
