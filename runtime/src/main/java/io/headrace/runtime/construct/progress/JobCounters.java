package io.headrace.runtime.construct.progress;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What an engine has done since it started. Written by any thread, read by any. */
public final class JobCounters {

    private final AtomicLong plannedSteps = new AtomicLong();
    private final LongAdder decodedSamples = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();
    private final LongAdder decodeCpuNanos = new LongAdder();
    private final LongAdder maskedSamples = new LongAdder();
    private final LongAdder leftOutSamples = new LongAdder();
    private final int threads;
    private volatile double imbalance = 1;

    private final DecodeHistory history = new DecodeHistory();
    private final StageTimes stages = new StageTimes();

    /**
     * @param threads decode threads of the engine
     */
    public JobCounters(int threads) {
        this.threads = threads;
    }

    public void planned(long step) {
        plannedSteps.accumulateAndGet(step + 1, Math::max);
    }

    /** A sample took so much time and CPU time of decode threads. */
    public void decoded(long nanos, long cpuNanos) {
        decodedSamples.increment();
        decodeNanos.add(nanos);
        decodeCpuNanos.add(cpuNanos);
    }

    public void masked() {
        maskedSamples.increment();
    }

    public void leftOut(int samples) {
        leftOutSamples.add(samples);
    }

    /** Largest over mean predicted cost of the ranks of the step that was planned last. */
    public void imbalance(double maxOverMean) {
        imbalance = maxOverMean;
    }

    /** First step that is not planned yet. */
    public long plannedSteps() {
        return plannedSteps.get();
    }

    /** What the decode pool has done lately. */
    public DecodeHistory history() {
        return history;
    }

    public StageTimes stages() {
        return stages;
    }

    /** All counts by name. */
    public Map<String, Double> view() {
        Map<String, Double> view = new LinkedHashMap<>();
        view.put("decoded_samples", (double) decodedSamples.sum());
        view.put("decode_threads", (double) threads);
        view.put("decode_seconds", decodeNanos.sum() / 1e9);
        view.put("decode_cpu_seconds", decodeCpuNanos.sum() / 1e9);
        view.putAll(stages.seconds());
        view.put("masked_samples", (double) maskedSamples.sum());
        view.put("left_out_samples", (double) leftOutSamples.sum());
        view.put("imbalance", imbalance);
        return view;
    }
}
