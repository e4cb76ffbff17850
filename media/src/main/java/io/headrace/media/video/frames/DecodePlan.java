package io.headrace.media.video.frames;

import io.headrace.media.video.container.SampleTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The packets that must be decoded for wanted frames: for each frame those from a key to its own in decode order, and no other.
 *
 * <p>The key is the last one that is both decoded and shown no later than the frame. A frame that is decoded after a key but shown
 * before it (a leading picture of an open group) may refer to the group before, so it starts a key earlier.
 */
public final class DecodePlan {
    /** A leading picture needs the key before its own; the bound is for hostile times. */
    private static final int MOST_KEYS_BACK = 16;

    private DecodePlan() {}

    /**
     * The runs for these frames, in decode order; runs that overlap or touch are one.
     *
     * @param frames in any order; repeated ones count once
     */
    public static List<DecodeRun> of(FrameIndex index, int... frames) {
        int[] samples = new int[frames.length];
        for (int i = 0; i < frames.length; i++) {
            samples[i] = index.sample(frames[i]);
        }
        Arrays.sort(samples);
        List<DecodeRun> runs = new ArrayList<>();
        for (int sample : samples) {
            add(runs, new DecodeRun(startOfSample(index.samples(), sample), sample + 1));
        }
        return runs;
    }

    /** Adds a run that ends no earlier than those before. A leading picture may start before them. */
    private static void add(List<DecodeRun> runs, DecodeRun run) {
        DecodeRun whole = run;
        while (!runs.isEmpty() && runs.getLast().endSample() >= whole.fromSample()) {
            DecodeRun last = runs.removeLast();
            whole =
                    new DecodeRun(
                            Math.min(last.fromSample(), whole.fromSample()), whole.endSample());
        }
        runs.add(whole);
    }

    /** Packets in all runs. */
    public static int samples(List<DecodeRun> runs) {
        return runs.stream().mapToInt(DecodeRun::samples).sum();
    }

    /** Bytes of the packets in all runs. */
    public static long bytes(FrameIndex index, List<DecodeRun> runs) {
        long bytes = 0;
        for (DecodeRun run : runs) {
            for (int sample = run.fromSample(); sample < run.endSample(); sample++) {
                bytes += index.samples().lengthBytes(sample);
            }
        }
        return bytes;
    }

    /** Where decoding starts for a frame: its key. */
    public static int start(FrameIndex index, int frame) {
        return startOfSample(index.samples(), index.sample(frame));
    }

    /** Where decoding starts for a sample; the first one of all if no key comes before. */
    public static int startOfSample(SampleTable samples, int sample) {
        int key = samples.keyAtOrBefore(sample);
        long shown = samples.presentationTicks(sample);
        for (int back = 0; back < MOST_KEYS_BACK; back++) {
            if (key <= 0 || samples.presentationTicks(key) <= shown) {
                break;
            }
            key = samples.keyAtOrBefore(key - 1);
        }
        return Math.max(key, 0);
    }
}
