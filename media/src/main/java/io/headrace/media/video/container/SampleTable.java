package io.headrace.media.video.container;

import java.util.BitSet;

/**
 * The samples (packets) of one track in decode order: time, place and size of each, 28 bytes a sample. Times are ticks of the track's
 * clock before edits. Immutable.
 */
public final class SampleTable {
    /** A day at 24 frames a second; the bound of hostile headers. */
    public static final int MOST_SAMPLES = 1 << 21;

    private final int size;
    private final long[] decodeTicks;
    private final long[] presentationTicks;
    private final long[] offsets;
    private final int[] bytes;
    private final BitSet keys;
    private final long endTicks;

    SampleTable(
            int size,
            long[] decodeTicks,
            long[] presentationTicks,
            long[] offsets,
            int[] bytes,
            BitSet keys,
            long endTicks) {
        this.size = size;
        this.decodeTicks = decodeTicks;
        this.presentationTicks = presentationTicks;
        this.offsets = offsets;
        this.bytes = bytes;
        this.keys = keys;
        this.endTicks = endTicks;
    }

    public int size() {
        return size;
    }

    /** When the sample is decoded. */
    public long decodeTicks(int sample) {
        return decodeTicks[check(sample)];
    }

    /** When the sample is shown: decode time and composition offset. */
    public long presentationTicks(int sample) {
        return presentationTicks[check(sample)];
    }

    /** Time from this sample to the next in decode order; the last one's as the header has it. */
    public long durationTicks(int sample) {
        long next = sample + 1 < size ? decodeTicks[sample + 1] : endTicks;
        return next - decodeTicks[check(sample)];
    }

    /**
     * Where the data of the sample lies in the payload (mp4, mov, avi), or the block that holds it (mkv, webm); -1 if unknown.
     */
    public long offsetBytes(int sample) {
        return offsets[check(sample)];
    }

    public int lengthBytes(int sample) {
        return bytes[check(sample)];
    }

    /** Whether decoding can start here. */
    public boolean isKey(int sample) {
        return keys.get(check(sample));
    }

    /** The last key sample at or before this one in decode order; -1 if there is none. */
    public int keyAtOrBefore(int sample) {
        return keys.previousSetBit(check(sample));
    }

    /** The next key sample behind this one in decode order; the number of samples if there is none. */
    public int keyAfter(int sample) {
        int next = keys.nextSetBit(check(sample) + 1);
        return next < 0 ? size : next;
    }

    public int keys() {
        return keys.cardinality();
    }

    /** Bytes of all samples together. */
    public long totalBytes() {
        long total = 0;
        for (int sample = 0; sample < size; sample++) {
            total += bytes[sample];
        }
        return total;
    }

    /** How many samples from the first on lie wholly within a payload of this length: less than all if it was cut short. */
    public int samplesWithin(long payloadBytes) {
        for (int sample = 0; sample < size; sample++) {
            if (offsets[sample] > payloadBytes - bytes[sample]) {
                return sample;
            }
        }
        return size;
    }

    private int check(int sample) {
        if (sample < 0 || sample >= size) {
            throw new IndexOutOfBoundsException("Sample %d of %d".formatted(sample, size));
        }
        return sample;
    }
}
