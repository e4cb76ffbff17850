package io.headrace.sim;

import io.headrace.engine.cost.learn.CpuModel;
import io.headrace.engine.cost.learn.ErrorWindow;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.schedule.DeadlineQueue;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.engine.schedule.DecodePolicy.Task;
import io.headrace.engine.schedule.DecodeQueue;
import io.headrace.engine.schedule.PolicyQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CPU side of one host on a virtual clock: the engine's queue and CPU cost model, with a model of cores. A sample occupies one worker
 * for its CPU time; reading, hand-over and memory take no time, and workers do not disturb each other.
 */
final class HostSimulation {

    /** Rank-local workers that share the cores are more than these, so that the kernel can lend cores that a rank leaves idle. */
    private static final int LOCAL_OVERSUBSCRIBED = 2;

    private final SimHost host;
    private final SimCosts costs;
    private final List<Cores> groups = new ArrayList<>();
    private final @Nullable DeadlineQueue<SimJob> deadlines;
    private final CpuModel cpu = new CpuModel();
    private final Map<Cell, Integer> missing = new HashMap<>();
    private final Map<Cell, Double> readyNanos = new HashMap<>();
    private double busyNanos;
    private long decoded;

    private record Cell(int rank, long step) {}

    HostSimulation(SimHost host, SimCosts costs) {
        this.host = host;
        this.costs = costs;
        this.deadlines =
                host.policy() == SimPolicy.DEADLINE
                        ? new DeadlineQueue<>(
                                new DeadlineQueue.Settings(host.cores(), Long.MAX_VALUE),
                                host.splits() ? this::split : null)
                        : null;
        switch (host.policy()) {
            case DEADLINE, FIRST_STEP_FIRST, FIFO -> {
                Cores all = new Cores(host.cores());
                all.lane(queue(), host.cores());
                groups.add(all);
            }
            case RANK_LOCAL -> {
                Cores all = new Cores(host.cores());
                for (int rank = 0; rank < host.ranks(); rank++) {
                    all.lane(queue(), LOCAL_OVERSUBSCRIBED * workersOfRank());
                }
                groups.add(all);
            }
            case QUOTA -> {
                for (int rank = 0; rank < host.ranks(); rank++) {
                    Cores own = new Cores((double) host.cores() / host.ranks());
                    own.lane(queue(), workersOfRank());
                    groups.add(own);
                }
            }
        }
    }

    private int workersOfRank() {
        return Math.ceilDiv(host.cores(), host.ranks());
    }

    private DecodeQueue<SimJob> queue() {
        if (deadlines != null) {
            return deadlines;
        }
        boolean byCost = host.policy() == SimPolicy.FIRST_STEP_FIRST;
        return new PolicyQueue<>(byCost ? DecodePolicy.FIRST_STEP_FIRST : DecodePolicy.FIFO);
    }

    /** The predicted compute window of a step. */
    void window(long step, double nanos) {
        if (deadlines != null) {
            deadlines.window(step, nanos);
        }
    }

    /** Every rank has its batch of a step. */
    void begun(long step, double nanos) {
        if (deadlines != null) {
            deadlines.begun(step, Math.round(nanos));
        }
    }

    /** Queues a rank's part of a step; {@link #start} lets it begin. */
    void submit(long step, int local, StepPlan.Rank rank) {
        int sequence = 0;
        for (StepPlan.Microbatch microbatch : rank.microbatches()) {
            for (Placement placement : microbatch.placements()) {
                submit(step, local, sequence++, placement);
            }
        }
        missing.put(new Cell(local, step), sequence);
    }

    private void submit(long step, int local, int sequence, Placement placement) {
        var work = costs.cpuWork(placement.sample());
        Task task =
                new Task(
                        step,
                        local,
                        sequence,
                        Math.round(cpu.predictNanos(work)),
                        placement.features().payloadBytes(),
                        costs.pieces(placement.sample()));
        SimJob job = new SimJob(task, work, costs.cpuNanos(placement.sample()));
        boolean quota = host.policy() == SimPolicy.QUOTA;
        groups.get(quota ? local : 0).add(host.policy().isLocal() && !quota ? local : 0, job);
    }

    private List<SimJob> split(SimJob job, int pieces) {
        List<SimJob> cut = job.split(pieces);
        missing.merge(new Cell(job.task().rank(), job.task().step()), pieces - 1, Integer::sum);
        return cut;
    }

    void start() {
        groups.forEach(Cores::start);
    }

    /** When a rank's step is ready; time goes on until then if it is not yet. */
    double ready(int local, long step) {
        Cell cell = new Cell(local, step);
        while (missing.getOrDefault(cell, 0) > 0) {
            Cores next = groups.getFirst();
            for (Cores group : groups) {
                next = group.nextEndNanos() < next.nextEndNanos() ? group : next;
            }
            if (next.nextEndNanos() == Double.POSITIVE_INFINITY) {
                throw new IllegalStateException("Nothing runs that " + cell + " waits for");
            }
            finish(next.advance(next.nextEndNanos()), next.nowNanos());
        }
        missing.remove(cell);
        Double ready = readyNanos.remove(cell);
        return ready == null ? 0 : ready;
    }

    /** Lets time go on. */
    void runUntil(double nanos) {
        for (Cores group : groups) {
            for (SimJob done = group.advance(nanos); done != null; done = group.advance(nanos)) {
                finish(done, group.nowNanos());
            }
        }
    }

    private void finish(@Nullable SimJob done, double nowNanos) {
        if (done == null) {
            return;
        }
        Cell cell = new Cell(done.task().rank(), done.task().step());
        decoded++;
        busyNanos += done.cpuNanos();
        if (!done.work().isEmpty()) {
            cpu.observe(done.work(), done.cpuNanos());
        }
        if (missing.merge(cell, -1, Integer::sum) == 0) {
            readyNanos.put(cell, nowNanos);
        }
    }

    double busyNanos() {
        return busyNanos;
    }

    long decoded() {
        return decoded;
    }

    /** Errors of the predicted CPU times. */
    ErrorWindow errors() {
        return cpu.errors();
    }
}
