package io.headrace.media.process.video;

import java.util.Arrays;

/** The frames that a model takes of a video, as rising places in display order; one may be taken more than once. Immutable. */
public final class SampledFrames {
    private final int[] frames;

    private SampledFrames(int[] frames) {
        this.frames = frames;
    }

    public static SampledFrames of(int... frames) {
        for (int k = 0; k < frames.length; k++) {
            if (frames[k] < (k == 0 ? 0 : frames[k - 1])) {
                throw new IllegalArgumentException(
                        "Frames do not rise: " + Arrays.toString(frames));
            }
        }
        return new SampledFrames(frames.clone());
    }

    /** How many are taken. */
    public int count() {
        return frames.length;
    }

    /** The place in display order of the k-th. */
    public int get(int k) {
        return frames[k];
    }

    public int[] toArray() {
        return frames.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampledFrames sampled && Arrays.equals(frames, sampled.frames);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(frames);
    }

    @Override
    public String toString() {
        return Arrays.toString(frames);
    }
}
