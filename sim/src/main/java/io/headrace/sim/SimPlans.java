package io.headrace.sim;

import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans of a job by the engine's membership and planner, made once and used by several runs. Single-threaded. */
public final class SimPlans {

    private final Membership membership;
    private final PlanSpec spec;
    private final Planner planner;
    private final int ranks;
    private final List<Planned> planned = new ArrayList<>();
    private MembershipState state;

    /** A step, and what each of its ranks computes. */
    public record Planned(StepPlan plan, List<RankWork> works) {
        public Planned {
            works = List.copyOf(works);
        }
    }

    /**
     * @param spec how plans are balanced
     * @param microbatches of each rank
     * @param ranks of the job
     */
    public SimPlans(Membership membership, PlanSpec spec, int microbatches, int ranks) {
        this.membership = membership;
        this.spec = spec;
        this.planner = new Planner(spec, microbatches);
        this.ranks = ranks;
        this.state = membership.start();
    }

    /** The plan of a step; empty after the end of the data. */
    public Optional<Planned> step(long step) {
        while (planned.size() <= step
                && membership.next(state) instanceof Membership.Outcome.Step found) {
            StepPlan plan = planner.plan(found.members(), new Topology(ranks, 1, 1, 1));
            planned.add(new Planned(plan, plan.ranks().stream().map(SimPlans::work).toList()));
            state = found.next();
        }
        return step < planned.size() ? Optional.of(planned.get((int) step)) : Optional.empty();
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

    int ranks() {
        return ranks;
    }

    PlanSpec spec() {
        return spec;
    }

    /** Mean over steps of the longest compute window of any rank: the time of a step that never waits. */
    public double meanWindowNanos(int steps, SimCosts costs) {
        double sum = 0;
        int found = 0;
        for (int step = 0; step < steps; step++) {
            Optional<Planned> next = step(step);
            if (next.isPresent()) {
                double longest = 0;
                for (RankWork work : next.get().works()) {
                    longest = Math.max(longest, costs.computeNanos(step, work));
                }
                sum += longest;
                found++;
            }
        }
        return found == 0 ? 0 : sum / found;
    }

    /** Mean CPU time of a step over all ranks. */
    public double meanCpuNanos(int steps, SimCosts costs) {
        double sum = 0;
        int found = 0;
        for (int step = 0; step < steps; step++) {
            Optional<Planned> next = step(step);
            if (next.isPresent()) {
                for (StepPlan.Rank rank : next.get().plan().ranks()) {
                    for (StepPlan.Microbatch microbatch : rank.microbatches()) {
                        for (Placement placement : microbatch.placements()) {
                            sum += costs.cpuNanos(placement.sample());
                        }
                    }
                }
                found++;
            }
        }
        return found == 0 ? 0 : sum / found;
    }
}
