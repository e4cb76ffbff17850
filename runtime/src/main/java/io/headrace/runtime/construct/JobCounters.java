package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.SampleRef;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What an engine has done since it started. Written by any thread, read by any. */
public final class JobCounters {

    private static final int RECENT_COSTS = 1 << 16;

    private final AtomicLong plannedSteps = new AtomicLong();
    private final LongAdder decodedSamples = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();
    private final LongAdder maskedSamples = new LongAdder();
    private final LongAdder leftOutSamples = new LongAdder();
    private volatile double imbalance = 1;

    /** Real decode time of samples seen lately: by hash of the sample, older ones overwritten. */
    private final long[] recentKeys = new long[RECENT_COSTS];

    private final int[] recentMicros = new int[RECENT_COSTS];

    void planned(long step) {
        plannedSteps.accumulateAndGet(step + 1, Math::max);
    }

    void decoded(SampleRef sample, long nanos) {
        decodedSamples.increment();
        decodeNanos.add(nanos);
        int slot = slot(sample);
        synchronized (recentKeys) {
            recentKeys[slot] = key(sample);
            recentMicros[slot] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
        }
    }

    void masked() {
        maskedSamples.increment();
    }

    void leftOut(int samples) {
        leftOutSamples.add(samples);
    }

    /** Largest over mean predicted cost of the ranks of the step that was planned last. */
    void imbalance(double maxOverMean) {
        imbalance = maxOverMean;
    }

    /** First step that is not planned yet. */
    public long plannedSteps() {
        return plannedSteps.get();
    }

    /** Microseconds that a sample took, if it was decoded lately; else -1. */
    public long decodeMicros(SampleRef sample) {
        int slot = slot(sample);
        synchronized (recentKeys) {
            return recentKeys[slot] == key(sample) ? recentMicros[slot] : -1;
        }
    }

    /** All counts by name. */
    public Map<String, Double> view() {
        Map<String, Double> view = new LinkedHashMap<>();
        view.put("decoded_samples", (double) decodedSamples.sum());
        view.put("decode_seconds", decodeNanos.sum() / 1e9);
        view.put("masked_samples", (double) maskedSamples.sum());
        view.put("left_out_samples", (double) leftOutSamples.sum());
        view.put("imbalance", imbalance);
        return view;
    }

    private static long key(SampleRef sample) {
        return ((long) sample.source() << 44) + sample.index() + 1;
    }

    private static int slot(SampleRef sample) {
        return (int) ((key(sample) * 0x9E3779B97F4A7C15L) >>> 48);
    }
}
