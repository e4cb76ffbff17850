package io.headrace.sim;

import io.headrace.engine.cost.learn.AcceleratorModel;
import io.headrace.engine.cost.learn.RankTimes;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.plan.StepPlan;
import io.headrace.sim.SimPlans.Planned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Synchronous training of a job on a virtual clock. Membership, plans, queues and cost models are those of the engine; only cores and
 * accelerators are modelled: a rank computes for its window, and every rank begins the next step when the slowest of all hosts has ended
 * this one.
 *
 * <p>Single-threaded; equal arguments give equal reports.
 */
public final class TrainingSimulation {

    private final SimPlans plans;
    private final SimHost host;
    private final SimCosts costs;
    private final List<HostSimulation> hosts = new ArrayList<>();
    private final AcceleratorModel accelerator;
    private long submittedSteps;

    /**
     * @param plans of a number of ranks that is a multiple of those of a host
     */
    public TrainingSimulation(SimPlans plans, SimHost host, SimCosts costs) {
        if (plans.ranks() % host.ranks() != 0) {
            throw new IllegalArgumentException(
                    "%d ranks do not make hosts of %d".formatted(plans.ranks(), host.ranks()));
        }
        this.plans = plans;
        this.host = host;
        this.costs = costs;
        this.accelerator = new AcceleratorModel(plans.spec());
        for (int first = 0; first < plans.ranks(); first += host.ranks()) {
            hosts.add(new HostSimulation(host, costs));
        }
    }

    /** Runs so many steps, or fewer if the data ends before. */
    public SimReport run(int steps) {
        List<SimReport.Step> done = new ArrayList<>();
        double now = 0;
        for (long step = 0; step < steps; step++) {
            submitThrough(step, Math.min(step + host.readyAheadSteps(), steps - 1L));
            Optional<Planned> planned = plans.step(step);
            if (planned.isEmpty()) {
                break;
            }
            SimReport.Step report = step(planned.get(), now);
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
    private SimReport.Step step(Planned planned, double requestNanos) {
        StepPlan plan = planned.plan();
        List<RankWork> works = planned.works();
        List<RankTimes> times = new ArrayList<>();
        double[] readyNanos = new double[works.size()];
        double last = requestNanos;
        double end = requestNanos;
        double longest = 0;
        for (StepPlan.Rank rank : plan.ranks()) {
            double ready = hostOf(rank).ready(localOf(rank), plan.step());
            readyNanos[rank.rank()] = Math.max(requestNanos, ready);
            last = Math.max(last, ready);
            double window = costs.computeNanos(plan.step(), works.get(rank.rank()));
            longest = Math.max(longest, window);
            end = Math.max(end, readyNanos[rank.rank()] + window);
        }
        double predicted = accelerator.predictNanos(works);
        for (StepPlan.Rank rank : plan.ranks()) {
            long ready = Math.round(readyNanos[rank.rank()]);
            times.add(new RankTimes(works.get(rank.rank()), ready, Math.round(end), 0));
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

    private void submitThrough(long step, long lastStep) {
        while (submittedSteps <= lastStep && plans.step(submittedSteps).isPresent()) {
            StepPlan plan = plans.step(submittedSteps++).orElseThrow().plan();
            plan.ranks().forEach(r -> hostOf(r).submit(plan.step(), localOf(r), r));
        }
        if (accelerator.isConfident()) {
            for (long next = step; next < submittedSteps; next++) {
                long at = next;
                double window = accelerator.predictNanos(plans.step(at).orElseThrow().works());
                hosts.forEach(each -> each.window(at, window));
            }
        }
        hosts.forEach(HostSimulation::start);
    }

    private HostSimulation hostOf(StepPlan.Rank rank) {
        return hosts.get(rank.rank() / host.ranks());
    }

    private int localOf(StepPlan.Rank rank) {
        return rank.rank() % host.ranks();
    }
}
