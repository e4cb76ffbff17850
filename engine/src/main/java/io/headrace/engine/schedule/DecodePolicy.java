package io.headrace.engine.schedule;

import java.util.Comparator;

/** Which of the waiting decode tasks runs next, where that follows from the tasks alone. A total order: equal input gives equal order. */
public interface DecodePolicy extends Comparator<DecodePolicy.Task> {

    /**
     * A sample to decode.
     *
     * @param step the step that needs it
     * @param rank the rank that gets it
     * @param sequence place among the tasks of the rank's step
     * @param predictedNanos predicted CPU time
     * @param bytes memory that it takes while it runs
     * @param parts pieces that it may be split into, each of about the same cost; 1 if it is one piece
     */
    record Task(long step, int rank, int sequence, long predictedNanos, long bytes, int parts) {

        /** A task of one piece whose memory does not count. */
        public Task(long step, int rank, int sequence, long predictedNanos) {
            this(step, rank, sequence, predictedNanos, 0, 1);
        }
    }

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

    /** In the order of the plan: by step, then by rank, then by sequence, as a queue without costs has it. */
    DecodePolicy FIFO =
            (a, b) -> {
                int byStep = Long.compare(a.step, b.step);
                int byRank = Integer.compare(a.rank, b.rank);
                return byStep != 0
                        ? byStep
                        : byRank != 0 ? byRank : Integer.compare(a.sequence, b.sequence);
            };
}
