package io.headrace.runtime.construct.decode;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.runtime.deliver.StepStore.SampleTime;
import java.util.ArrayList;
import java.util.List;

/** What the samples decoded last have taken: a ring of {@link #KEPT}. Written by any thread, read by any. */
public final class DecodeTimes {

    /** Samples whose time is kept: two megabytes, and some hundred steps of a usual batch. */
    public static final int KEPT = 1 << 16;

    private final long[] steps = new long[KEPT];
    private final long[] samples = new long[KEPT];
    private final int[] sources = new int[KEPT];
    private final int[] ranks = new int[KEPT];
    private final long[] nanos = new long[KEPT];
    private long written;

    /** Counts a sample; it takes the place of the oldest. */
    public synchronized void add(long step, int rank, SampleRef sample, long took) {
        int at = (int) (written++ % KEPT);
        steps[at] = step;
        ranks[at] = rank;
        sources[at] = sample.source();
        samples[at] = sample.index();
        nanos[at] = took;
    }

    /** The samples of a step that are still known, the last decoded last. */
    public synchronized List<SampleTime> ofStep(long step) {
        List<SampleTime> times = new ArrayList<>();
        for (long i = Math.max(0, written - KEPT); i < written; i++) {
            int at = (int) (i % KEPT);
            if (steps[at] == step) {
                times.add(new SampleTime(ranks[at], sources[at], samples[at], nanos[at]));
            }
        }
        return times;
    }
}
