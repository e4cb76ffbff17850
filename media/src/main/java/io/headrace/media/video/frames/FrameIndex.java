package io.headrace.media.video.frames;

import io.headrace.media.video.container.SampleTable;
import java.util.Arrays;

/**
 * The frames of a video in the order in which they are shown, after edit lists: when each is shown, and which sample (packet) holds it.
 * A frame is shown until the next one; the time of a variable frame rate is never a multiple of a mean. Immutable.
 */
public final class FrameIndex {
    private final Timebase timebase;
    private final SampleTable samples;
    private final long[] ticks;
    private final int[] sample;
    private final long endTicks;
    private final int missingSamples;
    private final int reorderDepth;

    FrameIndex(
            Timebase timebase,
            SampleTable samples,
            long[] ticks,
            int[] sample,
            long endTicks,
            int missingSamples,
            int reorderDepth) {
        this.timebase = timebase;
        this.samples = samples;
        this.ticks = ticks;
        this.sample = sample;
        this.endTicks = endTicks;
        this.missingSamples = missingSamples;
        this.reorderDepth = reorderDepth;
    }

    /** Number of frames that are shown; the header may count more. */
    public int size() {
        return ticks.length;
    }

    public Timebase timebase() {
        return timebase;
    }

    /** The packets in decode order. */
    public SampleTable samples() {
        return samples;
    }

    /** How many packets the header names that a payload cut short does not hold; no frame of them is in the index. */
    public int missingSamples() {
        return missingSamples;
    }

    /**
     * How many frames a decoder must hold back to give them in display order: 0 without B pictures. A decoder that is not told finds
     * out on the way and may drop a frame when it does (has_b_frames of FFmpeg).
     */
    public int reorderDepth() {
        return reorderDepth;
    }

    /** When a frame begins to be shown. */
    public long ticks(int frame) {
        return ticks[frame];
    }

    public double seconds(int frame) {
        return timebase.seconds(ticks[frame]);
    }

    /** How long a frame is shown. */
    public long durationTicks(int frame) {
        return (frame + 1 < ticks.length ? ticks[frame + 1] : endTicks) - ticks[frame];
    }

    /** The packet that holds a frame. An edit list may show one packet more than once. */
    public int sample(int frame) {
        return sample[frame];
    }

    public boolean isKey(int frame) {
        return samples.isKey(sample[frame]);
    }

    /** When the first frame begins; 0 without frames. */
    public double beginSeconds() {
        return ticks.length == 0 ? 0 : timebase.seconds(ticks[0]);
    }

    /** When the last frame ends; 0 without frames. */
    public double endSeconds() {
        return ticks.length == 0 ? 0 : timebase.seconds(endTicks);
    }

    /** Frames a second from the first to the end of the last; 0 if that takes no time. */
    public double meanRate() {
        long shownTicks = ticks.length == 0 ? 0 : endTicks - ticks[0];
        return shownTicks <= 0
                ? 0
                : (double) ticks.length
                        * timebase.denominator()
                        / shownTicks
                        / timebase.numerator();
    }

    /**
     * The frame that is shown at a time: the last one that has begun by then. Before the first it is the first, after the end the
     * last.
     */
    public int shownAt(double seconds) {
        if (ticks.length == 0 || Double.isNaN(seconds)) {
            throw new IllegalArgumentException(
                    "Time %s of %d frames".formatted(seconds, ticks.length));
        }
        int low = 0;
        int high = ticks.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (timebase.seconds(ticks[middle]) <= seconds) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The frames at which decoding can start, in the order in which they are shown. */
    public int[] keyFrames() {
        int[] keys = new int[ticks.length];
        int count = 0;
        for (int frame = 0; frame < ticks.length; frame++) {
            if (isKey(frame)) {
                keys[count++] = frame;
            }
        }
        return Arrays.copyOf(keys, count);
    }
}
