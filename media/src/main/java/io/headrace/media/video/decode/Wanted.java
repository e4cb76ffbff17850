package io.headrace.media.video.decode;

import io.headrace.media.video.frames.FrameIndex;
import java.util.Arrays;

/** Which packets hold wanted frames, and the places of those frames: two frames may share a packet, as an edit list has it. */
final class Wanted {
    /** Packet above, place below, rising. */
    private final long[] pairs;

    private final boolean[] given;

    private Wanted(long[] pairs) {
        this.pairs = pairs;
        given = new boolean[pairs.length];
    }

    /**
     * @param frames in display order
     * @param firstPlace place of the first among all that are wanted
     */
    static Wanted of(FrameIndex index, int[] frames, int firstPlace) {
        long[] pairs = new long[frames.length];
        for (int i = 0; i < frames.length; i++) {
            pairs[i] = (long) index.sample(frames[i]) << Integer.SIZE | (firstPlace + i);
        }
        Arrays.sort(pairs);
        return new Wanted(pairs);
    }

    boolean contains(int sample) {
        int at = first(sample);
        return at < pairs.length && sampleAt(at) == sample;
    }

    /** The first entry whose packet is this one or a later one. */
    int first(int sample) {
        int at = Arrays.binarySearch(pairs, (long) sample << Integer.SIZE);
        return at < 0 ? -at - 1 : at;
    }

    int entries() {
        return pairs.length;
    }

    int sampleAt(int entry) {
        return (int) (pairs[entry] >>> Integer.SIZE);
    }

    int placeAt(int entry) {
        return (int) pairs[entry];
    }

    /** Marks an entry; false if it was before. */
    boolean give(int entry) {
        boolean first = !given[entry];
        given[entry] = true;
        return first;
    }

    /** The first packet from one on up to another whose frame was not given; -1 if there is none. */
    int missing(int fromSample, int endSample) {
        for (int i = first(fromSample); i < pairs.length && sampleAt(i) < endSample; i++) {
            if (!given[i]) {
                return sampleAt(i);
            }
        }
        return -1;
    }
}
