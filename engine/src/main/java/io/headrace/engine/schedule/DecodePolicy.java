package io.headrace.engine.schedule;

import java.util.Comparator;

/** Which of the waiting decode tasks runs next. A total order, so that equal input gives equal order. */
public interface DecodePolicy extends Comparator<DecodePolicy.Task> {

    /**
     * A sample to decode.
     *
     * @param step the step that needs it
     * @param rank the rank that gets it
     * @param sequence place among the tasks of the rank's step
     * @param predictedNanos predicted CPU time
     */
    record Task(long step, int rank, int sequence, long predictedNanos) {}

    /** The first step first; within it the longest work first, then by rank and sequence. */
    DecodePolicy FIRST_STEP_FIRST =
            (a, b) -> {
                int byStep = Long.compare(a.step, b.step);
                int byWork = Long.compare(b.predictedNanos, a.predictedNanos);
                int byRank = Integer.compare(a.rank, b.rank);
                return byStep != 0
                        ? byStep
                        : byWork != 0
                                ? byWork
                                : byRank != 0 ? byRank : Integer.compare(a.sequence, b.sequence);
            };
}
