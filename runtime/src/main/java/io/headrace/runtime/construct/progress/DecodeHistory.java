package io.headrace.runtime.construct.progress;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.runtime.deliver.report.JobHistory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The work that was done last, in a ring of {@link #KEPT} spans, and the samples that were late. Written by any thread, read by any. */
public final class DecodeHistory implements JobHistory {

    /** Spans that are kept: three megabytes, and some hundred steps of a usual batch. */
    public static final int KEPT = 1 << 16;

    private static final int KEPT_LATE = 64;

    private final long[] steps = new long[KEPT];
    private final long[] samples = new long[KEPT];
    private final int[] sources = new int[KEPT];
    private final int[] ranks = new int[KEPT];
    private final int[] workers = new int[KEPT];
    private final long[] starts = new long[KEPT];
    private final long[] ends = new long[KEPT];
    private final Deque<LateSample> late = new ArrayDeque<>();
    private long written;

    /** Counts work on a sample; it takes the place of the oldest. */
    public synchronized void add(
            long step, int rank, SampleRef sample, int worker, long startNanos, long endNanos) {
        int at = (int) (written++ % KEPT);
        steps[at] = step;
        ranks[at] = rank;
        sources[at] = sample.source();
        samples[at] = sample.index();
        workers[at] = worker;
        starts[at] = startNanos;
        ends[at] = endNanos;
    }

    /** Notes a sample that its rank waited for. */
    public synchronized void addLate(LateSample sample) {
        late.add(sample);
        if (late.size() > KEPT_LATE) {
            late.remove();
        }
    }

    @Override
    public synchronized List<SampleTime> ofStep(long step) {
        Map<SampleTime, Long> nanos = new LinkedHashMap<>();
        for (long i = Math.max(0, written - KEPT); i < written; i++) {
            int at = (int) (i % KEPT);
            if (steps[at] == step) {
                SampleTime sample = new SampleTime(ranks[at], sources[at], samples[at], 0);
                nanos.merge(sample, ends[at] - starts[at], Long::sum);
            }
        }
        return nanos.entrySet().stream()
                .map(
                        e ->
                                new SampleTime(
                                        e.getKey().rank(),
                                        e.getKey().source(),
                                        e.getKey().index(),
                                        e.getValue()))
                .toList();
    }

    @Override
    public synchronized List<DecodeSpan> spans() {
        List<DecodeSpan> spans = new ArrayList<>();
        for (long i = Math.max(0, written - KEPT); i < written; i++) {
            int at = (int) (i % KEPT);
            spans.add(
                    new DecodeSpan(
                            steps[at],
                            ranks[at],
                            sources[at],
                            samples[at],
                            workers[at],
                            starts[at],
                            ends[at]));
        }
        return spans;
    }

    @Override
    public synchronized List<LateSample> late() {
        return List.copyOf(late);
    }
}
