package io.headrace.media.video.frames;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.util.Arrays;

/**
 * Which frames of a video are taken, as places in display order. Those that count frames are formulas of the number of frames and the
 * mean rate, equal to the reference of transformers 5.24; those that tell times look up the frame that is shown then.
 */
public final class FrameSampling {
    /** FPS_MIN_FRAMES of the Qwen processors. */
    public static final int QWEN_LEAST_FRAMES = 4;

    /** FPS_MAX_FRAMES of the Qwen processors. */
    public static final int QWEN_MOST_FRAMES = 768;

    private static final double NANOSECOND = 1e-9;

    private FrameSampling() {}

    /** {@code floor(k * total / count)} for k below count: BaseVideoProcessor.sample_frames with num_frames, and VideoMAE. */
    public static int[] uniform(int total, int count) throws BadPayload {
        if (count <= 0 || count > total) {
            throw tooFew(total, count);
        }
        int[] frames = new int[count];
        for (int k = 0; k < count; k++) {
            frames[k] = (int) ((long) k * total / count);
        }
        return frames;
    }

    /** {@link #uniform} with {@code max(1, int(total / rate * wantedRate))} frames: BaseVideoProcessor.sample_frames with fps. */
    public static int[] uniformRate(int total, double rate, double wantedRate) throws BadPayload {
        return uniform(total, Math.max(1, (int) (total / rate * wantedRate)));
    }

    /**
     * Qwen2VLVideoProcessor.sample_frames with num_frames: {@code int(float32(k * (total / count)))}, the count first rounded half to
     * even to a multiple of {@code temporal}.
     */
    public static int[] qwen2Count(int total, int count, int temporal) throws BadPayload {
        return qwen2(total, (int) Math.rint((double) count / temporal) * temporal);
    }

    /**
     * Qwen2VLVideoProcessor.sample_frames with fps: the count is {@code total / rate * wantedRate}, at least {@code least}, at most
     * {@code most} and total, and then the multiple of {@code temporal} at or below.
     */
    public static int[] qwen2Rate(
            int total, double rate, double wantedRate, int least, int most, int temporal)
            throws BadPayload {
        int bound = Math.min(most, total) / temporal * temporal;
        double count = Math.min(Math.min(Math.max(total / rate * wantedRate, least), bound), total);
        return qwen2(total, (int) Math.floor(count / temporal) * temporal);
    }

    private static int[] qwen2(int total, int count) throws BadPayload {
        if (count <= 0 || count > total) {
            throw tooFew(total, count);
        }
        double step = (double) total / count;
        int[] frames = new int[(int) Math.ceil(total / step)];
        for (int k = 0; k < frames.length; k++) {
            frames[k] = (int) (float) (k * step);
        }
        // Where total / step is a little above count, the reference asks for a frame behind the
        // last and fails.
        return frames[frames.length - 1] < total ? frames : Arrays.copyOf(frames, count);
    }

    /**
     * Qwen3VLVideoProcessor.sample_frames with num_frames: {@code numpy.linspace(0, total - 1, count)} rounded half to even. More
     * frames than there are repeat some.
     */
    public static int[] qwen3Count(int total, int count) throws BadPayload {
        if (total <= 0 || count <= 0) {
            throw tooFew(total, count);
        }
        int[] frames = new int[count];
        double step = (total - 1.0) / (count - 1.0);
        for (int k = 1; k < count; k++) {
            frames[k] = k == count - 1 ? total - 1 : (int) Math.rint(k * step);
        }
        return frames;
    }

    /** {@link #qwen3Count} with {@code int(total / rate * wantedRate)} frames, at least {@code least}, at most {@code most} and total. */
    public static int[] qwen3Rate(int total, double rate, double wantedRate, int least, int most)
            throws BadPayload {
        int count = (int) (total / rate * wantedRate);
        return qwen3Count(total, Math.min(Math.min(Math.max(count, least), most), total));
    }

    /**
     * The frame shown at each of the times {@code begin + k / rate} before the end, at most {@code most} of them. A frame counts as
     * begun a nanosecond early, so that the rounding of the sum does not take the frame before.
     */
    public static int[] atRate(FrameIndex index, double rate, int most) throws BadPayload {
        if (index.size() == 0 || !(rate > 0)) {
            throw tooFew(index.size(), 1);
        }
        int[] frames = new int[Math.min(most, 64)];
        int count = 0;
        double at = index.beginSeconds();
        while (count < most && (count == 0 || at < index.endSeconds() - NANOSECOND)) {
            if (count == frames.length) {
                frames = Arrays.copyOf(frames, (int) Math.min(2L * count, most));
            }
            frames[count++] = index.shownAt(at + NANOSECOND);
            at = index.beginSeconds() + count / rate;
        }
        return Arrays.copyOf(frames, count);
    }

    /** The frame shown at each time, in the order of the times. */
    public static int[] atTimes(FrameIndex index, double... seconds) throws BadPayload {
        if (index.size() == 0) {
            throw tooFew(0, seconds.length);
        }
        return Arrays.stream(seconds).mapToInt(index::shownAt).toArray();
    }

    private static BadPayload tooFew(int total, int count) {
        return new BadPayload(
                Reason.UNSUPPORTED,
                "Video of %d frames, of which %d are asked for".formatted(total, count));
    }
}
