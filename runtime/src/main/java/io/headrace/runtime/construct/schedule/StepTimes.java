package io.headrace.runtime.construct.schedule;

import io.headrace.engine.cost.learn.RankTimes;
import io.headrace.engine.cost.learn.RankWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** When each rank got its batch of a step and how long it computed. Guarded by the schedule. */
final class StepTimes {

    private final List<RankWork> works;
    private final long[] startNanos;
    private final long[] computeNanos;
    private final long[] ownNanos;
    private final boolean[] started;
    private final boolean[] ended;

    StepTimes(List<RankWork> works) {
        this.works = List.copyOf(works);
        this.startNanos = new long[works.size()];
        this.computeNanos = new long[works.size()];
        this.ownNanos = new long[works.size()];
        this.started = new boolean[works.size()];
        this.ended = new boolean[works.size()];
    }

    List<RankWork> works() {
        return works;
    }

    /** A rank has its batch; true when it is the last of all. A batch that is handed out twice counts by the last time. */
    boolean started(int rank, long nowNanos) {
        boolean again = started[rank];
        startNanos[rank] = nowNanos;
        started[rank] = true;
        return !again && all(started);
    }

    /** A rank asks for the next step; true when it is the last of all. */
    boolean ended(int rank, long compute, long own) {
        boolean again = ended[rank];
        computeNanos[rank] = compute;
        ownNanos[rank] = own;
        ended[rank] = true;
        return !again && all(ended) && all(started);
    }

    private static boolean all(boolean[] flags) {
        for (boolean flag : flags) {
            if (!flag) {
                return false;
            }
        }
        return true;
    }

    /** What the ranks told; nothing if one told no window. */
    List<RankTimes> times() {
        List<RankTimes> times = new ArrayList<>();
        if (Arrays.stream(computeNanos).allMatch(nanos -> nanos > 0)) {
            for (int rank = 0; rank < works.size(); rank++) {
                long start = startNanos[rank];
                times.add(
                        new RankTimes(
                                works.get(rank),
                                start,
                                start + computeNanos[rank],
                                ownNanos[rank]));
            }
        }
        return times;
    }
}
