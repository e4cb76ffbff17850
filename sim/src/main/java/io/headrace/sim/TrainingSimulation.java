package io.headrace.sim;

import io.headrace.engine.cost.learn.AcceleratorModel;
import io.headrace.engine.cost.learn.RankTimes;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Synchronous training of a job on a virtual clock. Membership, plans, queues and cost models are those of the engine; only cores and
 * accelerators are modelled: a rank computes for its window, and every rank begins the next step when the slowest of all hosts has ended
 * this one.
 *
 * <p>Single-threaded; equal arguments give equal reports.
 */
public final class TrainingSimulation {

    private final Membership membership;
    private final Planner planner;
    private final PlanSpec spec;
    private final SimHost host;
    private final SimCosts costs;
    private final int ranks;
    private final List<HostSimulation> hosts = new ArrayList<>();
    private final AcceleratorModel accelerator;
    private final Map<Long, StepPlan> plans = new HashMap<>();
    private MembershipState state;
    private long submittedSteps;

    /**
     * @param spec how plans are balanced, and the prior of the accelerator's costs
     * @param ranks of the job, a multiple of those of a host
     */
    public TrainingSimulation(
            Membership membership, PlanSpec spec, int ranks, SimHost host, SimCosts costs) {
        if (ranks % host.ranks() != 0) {
            throw new IllegalArgumentException(
                    "%d ranks do not make hosts of %d".formatted(ranks, host.ranks()));
        }
        this.membership = membership;
        this.planner = new Planner(spec, 1);
        this.spec = spec;
        this.host = host;
        this.costs = costs;
        this.ranks = ranks;
        this.state = membership.start();
        this.accelerator = new AcceleratorModel(this.spec);
        for (int first = 0; first < ranks; first += host.ranks()) {
            hosts.add(new HostSimulation(host, costs));
        }
    }

    /** Runs so many steps, or fewer if the data ends before. */
    public SimReport run(int steps) {
        List<SimReport.Step> done = new ArrayList<>();
        double now = 0;
        for (long step = 0; step < steps; step++) {
            submitThrough(Math.min(step + host.readyAheadSteps(), steps - 1L));
            StepPlan plan = plans.remove(step);
            if (plan == null) {
                break;
            }
            SimReport.Step report = step(plan, now);
            done.add(report);
            now = report.endNanos();
        }
        return new SimReport(
                done,
                hosts.stream().mapToDouble(HostSimulation::busyNanos).sum(),
                hosts.stream().mapToLong(HostSimulation::decoded).sum(),
                accelerator.errors(),
                hosts.getFirst().errors());
    }

    /** One step of all ranks from their requests on. */
    private SimReport.Step step(StepPlan plan, double requestNanos) {
        List<RankTimes> times = new ArrayList<>();
        double[] readyNanos = new double[ranks];
        double last = requestNanos;
        double end = requestNanos;
        double longest = 0;
        for (StepPlan.Rank rank : plan.ranks()) {
            double ready = hostOf(rank).ready(localOf(rank), plan.step());
            readyNanos[rank.rank()] = Math.max(requestNanos, ready);
            last = Math.max(last, ready);
            double window = costs.computeNanos(plan.step(), work(rank));
            longest = Math.max(longest, window);
            end = Math.max(end, readyNanos[rank.rank()] + window);
        }
        double predicted = accelerator.predictNanos(works(plan));
        for (StepPlan.Rank rank : plan.ranks()) {
            long ready = Math.round(readyNanos[rank.rank()]);
            times.add(new RankTimes(work(rank), ready, Math.round(end), 0));
        }
        for (HostSimulation each : hosts) {
            each.begun(plan.step(), last);
            each.runUntil(end);
        }
        accelerator.observe(times);
        List<Double> waits = new ArrayList<>();
        for (double ready : readyNanos) {
            waits.add(ready - requestNanos);
        }
        return new SimReport.Step(requestNanos, end, waits, longest, predicted);
    }

    private void submitThrough(long lastStep) {
        while (submittedSteps <= lastStep
                && membership.next(state) instanceof Membership.Outcome.Step found) {
            StepPlan plan = planner.plan(found.members(), new Topology(ranks, 1, 1, 1));
            plans.put(plan.step(), plan);
            plan.ranks().forEach(r -> hostOf(r).submit(plan.step(), localOf(r), r));
            state = found.next();
            submittedSteps++;
        }
        if (accelerator.isConfident()) {
            plans.forEach(
                    (step, plan) -> {
                        double window = accelerator.predictNanos(works(plan));
                        hosts.forEach(each -> each.window(step, window));
                    });
        }
        hosts.forEach(HostSimulation::start);
    }

    private HostSimulation hostOf(StepPlan.Rank rank) {
        return hosts.get(rank.rank() / host.ranks());
    }

    private int localOf(StepPlan.Rank rank) {
        return rank.rank() % host.ranks();
    }

    private static List<RankWork> works(StepPlan plan) {
        return plan.ranks().stream().map(TrainingSimulation::work).toList();
    }

    private static RankWork work(StepPlan.Rank rank) {
        RankWork work = RankWork.NONE;
        for (StepPlan.Microbatch microbatch : rank.microbatches()) {
            for (Placement placement : microbatch.placements()) {
                work = work.plus(placement.features());
            }
        }
        return work;
    }
}
