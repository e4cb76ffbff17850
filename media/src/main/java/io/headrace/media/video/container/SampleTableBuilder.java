package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.util.Arrays;
import java.util.BitSet;

/** Collects the samples of a track in decode order. Grows with what is added, to at most {@link SampleTable#MOST_SAMPLES}. */
public final class SampleTableBuilder {
    private static final int LEAST_CAPACITY = 64;

    /** Beyond any clock in use; sums of two such times do not overflow. */
    private static final long MOST_TICKS = 1L << 60;

    private int size;
    private long[] decodeTicks = {};
    private long[] presentationTicks = {};
    private long[] offsets = {};
    private int[] bytes = {};
    private final BitSet keys = new BitSet();
    private long endTicks;

    /** Makes room for so many more samples. */
    void reserve(int samples) throws BadPayload {
        limit(size + (long) samples);
        grow(size + samples);
    }

    public int size() {
        return size;
    }

    /** Decode time behind the last sample: where the next one starts unless it says otherwise. */
    long endTicks() {
        return endTicks;
    }

    /**
     * @param decodeTicks when it is decoded
     * @param durationTicks until the next one is decoded
     * @param offsetBytes where it lies in the payload; -1 if unknown
     */
    public void add(
            long decodeTicks,
            long presentationTicks,
            long durationTicks,
            long offsetBytes,
            int lengthBytes,
            boolean key)
            throws BadPayload {
        if (beyond(decodeTicks) || beyond(presentationTicks) || beyond(durationTicks)) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Sample %d is decoded at tick %d and shown at %d"
                            .formatted(size, decodeTicks, presentationTicks),
                    offsetBytes);
        }
        limit(size + 1L);
        if (size == this.decodeTicks.length) {
            grow(Math.min(Math.max(LEAST_CAPACITY, size + size / 2), SampleTable.MOST_SAMPLES));
        }
        this.decodeTicks[size] = decodeTicks;
        this.presentationTicks[size] = presentationTicks;
        offsets[size] = offsetBytes;
        bytes[size] = lengthBytes;
        keys.set(size, key);
        size++;
        endTicks = decodeTicks + durationTicks;
    }

    private static boolean beyond(long ticks) {
        return ticks > MOST_TICKS || ticks < -MOST_TICKS;
    }

    private static void limit(long samples) throws BadPayload {
        if (samples > SampleTable.MOST_SAMPLES) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Track of %d samples or more; at most %d are read"
                            .formatted(samples, SampleTable.MOST_SAMPLES));
        }
    }

    private void grow(int capacity) {
        if (capacity > decodeTicks.length) {
            decodeTicks = Arrays.copyOf(decodeTicks, capacity);
            presentationTicks = Arrays.copyOf(presentationTicks, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
            bytes = Arrays.copyOf(bytes, capacity);
        }
    }

    /** The samples so far. If none of them is a key, decoding starts at the first, as FFmpeg has it. */
    public SampleTable build() {
        if (size > 0 && keys.isEmpty()) {
            keys.set(0);
        }
        return new SampleTable(
                size,
                Arrays.copyOf(decodeTicks, size),
                Arrays.copyOf(presentationTicks, size),
                Arrays.copyOf(offsets, size),
                Arrays.copyOf(bytes, size),
                (BitSet) keys.clone(),
                endTicks);
    }
}
