package io.headrace.sim;

import io.headrace.engine.schedule.DecodeQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Cores that are shared evenly by the workers that are busy, each of which uses at most one (processor sharing). Time runs in the service
 * that every busy worker has had, so that the order of ends never changes.
 */
final class Cores {

    private final double cores;
    private final List<Lane> lanes = new ArrayList<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>(
                    (a, b) -> {
                        int byEnd = Double.compare(a.endService, b.endService);
                        return byEnd != 0 ? byEnd : Long.compare(a.number, b.number);
                    });
    private double service;
    private double nowNanos;
    private long started;

    /** A queue and the workers that take from it. */
    private static final class Lane {
        private final DecodeQueue<SimJob> queue;
        private int idle;

        Lane(DecodeQueue<SimJob> queue, int workers) {
            this.queue = queue;
            this.idle = workers;
        }
    }

    private record Running(SimJob job, Lane lane, double endService, long number) {}

    Cores(double cores) {
        this.cores = cores;
    }

    void lane(DecodeQueue<SimJob> queue, int workers) {
        lanes.add(new Lane(queue, workers));
    }

    void add(int lane, SimJob job) {
        lanes.get(lane).queue.add(job, Math.round(nowNanos));
    }

    /** Gives waiting work to idle workers. */
    void start() {
        lanes.forEach(this::start);
    }

    private void start(Lane lane) {
        while (lane.idle > 0) {
            SimJob job = lane.queue.next(Math.round(nowNanos));
            if (job == null) {
                return;
            }
            lane.idle--;
            running.add(new Running(job, lane, service + job.cpuNanos(), started++));
        }
    }

    /** Share of a core that a busy worker has. */
    private double rate() {
        return Math.min(1, cores / running.size());
    }

    /** When the next job ends; infinite if none runs. */
    double nextEndNanos() {
        Running next = running.peek();
        return next == null
                ? Double.POSITIVE_INFINITY
                : nowNanos + (next.endService - service) / rate();
    }

    /** Lets time go on to the end of the next job, which is given, or to a time before. */
    @Nullable SimJob advance(double untilNanos) {
        double end = nextEndNanos();
        if (end > untilNanos) {
            service += running.isEmpty() ? 0 : (untilNanos - nowNanos) * rate();
            nowNanos = untilNanos;
            return null;
        }
        Running done = running.remove();
        service = done.endService;
        nowNanos = end;
        done.lane.queue.ended(done.job, Math.round(nowNanos));
        done.lane.idle++;
        start(done.lane);
        return done.job;
    }

    double nowNanos() {
        return nowNanos;
    }
}
