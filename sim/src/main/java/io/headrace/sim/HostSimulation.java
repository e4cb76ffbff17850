package io.headrace.sim;

import io.headrace.engine.cost.Features;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.Topology;
import io.headrace.engine.schedule.DecodePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Synchronous training of all ranks of one host on a virtual clock. Membership, plans and the order of decoding are those of the engine;
 * only time is a model: a sample occupies one worker for its decode time, a rank computes for its window, and every rank begins the next
 * step when the slowest has ended this one. Reading, hand-over and memory take no time, and workers do not disturb each other.
 *
 * <p>Single-threaded; equal arguments give equal reports.
 */
public final class HostSimulation {

    private final Membership membership;
    private final Planner planner;
    private final Topology topology;
    private final DecodePolicy policy;
    private final SimHost host;
    private final SimCosts costs;

    private final Map<Long, StepPlan> plans = new HashMap<>();
    private final List<PriorityQueue<Job>> lanes = new ArrayList<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>((a, b) -> Long.compare(a.endNanos, b.endNanos));
    private final Map<Cell, Integer> missing = new HashMap<>();
    private final Map<Cell, Long> readyNanos = new HashMap<>();
    private int[] idle = new int[0];
    private MembershipState state;
    private long submittedSteps;
    private long decoded;

    private record Cell(int rank, long step) {}

    private record Job(DecodePolicy.Task task, long nanos) {}

    private record Running(Job job, int lane, long endNanos) {}

    public HostSimulation(
            Membership membership,
            Planner planner,
            Topology topology,
            DecodePolicy policy,
            SimHost host,
            SimCosts costs) {
        this.membership = membership;
        this.planner = planner;
        this.topology = topology;
        this.policy = policy;
        this.host = host;
        this.costs = costs;
        this.state = membership.start();
    }

    /** Runs so many steps, or fewer if the data ends before. */
    public SimReport run(int steps) {
        for (int lane = 0; lane < host.lanes(); lane++) {
            lanes.add(new PriorityQueue<>((a, b) -> policy.compare(a.task, b.task)));
        }
        idle = new int[host.lanes()];
        Arrays.fill(idle, host.workers() / host.lanes());
        List<List<Long>> waits = new ArrayList<>();
        long now = 0;
        for (long step = 0; step < steps; step++) {
            submitThrough(step + host.readyAheadSteps(), now);
            StepPlan plan = plans.remove(step);
            if (plan == null) {
                break;
            }
            now = step(plan, now, waits);
        }
        return new SimReport(waits, now, decoded);
    }

    /** One step of all ranks from their requests on; gives the end of the slowest rank's window. */
    private long step(StepPlan plan, long requestNanos, List<List<Long>> waits) {
        List<Long> stepWaits = new ArrayList<>();
        long end = requestNanos;
        for (StepPlan.Rank rank : plan.ranks()) {
            Cell cell = new Cell(rank.rank(), plan.step());
            while (missing.getOrDefault(cell, 0) > 0) {
                finishNext();
            }
            long ready = Math.max(requestNanos, readyNanos.getOrDefault(cell, 0L));
            stepWaits.add(ready - requestNanos);
            end = Math.max(end, ready + costs.computeNanos(total(rank)));
        }
        while (!running.isEmpty() && running.peek().endNanos <= end) {
            finishNext();
        }
        waits.add(stepWaits);
        return end;
    }

    private void submitThrough(long lastStep, long now) {
        while (submittedSteps <= lastStep
                && membership.next(state) instanceof Membership.Outcome.Step found) {
            StepPlan plan = planner.plan(found.members(), topology);
            plans.put(plan.step(), plan);
            plan.ranks().forEach(rank -> submit(plan.step(), rank));
            state = found.next();
            submittedSteps++;
        }
        for (int lane = 0; lane < lanes.size(); lane++) {
            start(lane, now);
        }
    }

    private void submit(long step, StepPlan.Rank rank) {
        int sequence = 0;
        for (StepPlan.Microbatch microbatch : rank.microbatches()) {
            for (Placement placement : microbatch.placements()) {
                long nanos = costs.decodeNanos(placement.features());
                DecodePolicy.Task task =
                        new DecodePolicy.Task(step, rank.rank(), sequence++, nanos);
                lanes.get(rank.rank() % lanes.size()).add(new Job(task, nanos));
            }
        }
        missing.put(new Cell(rank.rank(), step), sequence);
    }

    private void start(int lane, long now) {
        while (idle[lane] > 0 && !lanes.get(lane).isEmpty()) {
            Job job = lanes.get(lane).remove();
            idle[lane]--;
            running.add(new Running(job, lane, now + job.nanos));
        }
    }

    private void finishNext() {
        Running done = running.remove();
        Cell cell = new Cell(done.job.task.rank(), done.job.task.step());
        decoded++;
        if (missing.merge(cell, -1, Integer::sum) == 0) {
            missing.remove(cell);
            readyNanos.put(cell, done.endNanos);
        }
        idle[done.lane]++;
        start(done.lane, done.endNanos);
    }

    private static Features total(StepPlan.Rank rank) {
        Features total = Features.NONE;
        for (StepPlan.Microbatch microbatch : rank.microbatches()) {
            for (Placement placement : microbatch.placements()) {
                total = total.plus(placement.features());
            }
        }
        return total;
    }
}
