package io.headrace.sim;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.sim.workload.SimSample;
import io.headrace.sim.workload.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs one of the benchmark's workloads in simulation. The compute window is scaled so that rho, the CPU time of a step over cores times
 * mean window, is what is asked for; the mean is taken over the same steps with the same plans.
 */
public final class WorkloadRun {

    private static final long SAMPLES = 1_000_000;

    private final Workload workload;
    private final long seed;
    private final int steps;
    private final PlanSpec spec;
    private final Map<Long, SimSample> known = new HashMap<>();
    private final Map<Integer, SimPlans> plans = new HashMap<>();
    private double nanosPerToken = 1;

    public WorkloadRun(Workload workload, long seed, int steps, PlanSpec.Method method) {
        this.workload = workload;
        this.seed = seed;
        this.steps = steps;
        this.spec =
                new PlanSpec(
                        new PlanSpec.Cost(1, 2e-5),
                        new PlanSpec.Cost(1, 1e-5),
                        method,
                        PlanSpec.Over.HYBRID);
    }

    /** One run of all steps. */
    public SimReport run(SimHost host, double rho) {
        return run(host, rho, _ -> 1);
    }

    /** How much longer than usual a step takes. */
    public interface Factor {
        double of(long step);
    }

    /**
     * One run in which speeds change.
     *
     * @param slower by step
     */
    public SimReport run(SimHost host, double rho, Factor slower) {
        SimPlans plans = plans(host.ranks());
        nanosPerToken = 1;
        Costs usual = new Costs(_ -> 1);
        double cpu = plans.meanCpuNanos(steps, usual);
        nanosPerToken = cpu / (host.cores() * plans.meanWindowNanos(steps, usual) * rho);
        return new TrainingSimulation(plans, host, new Costs(slower)).run(steps);
    }

    private SimPlans plans(int ranks) {
        return plans.computeIfAbsent(
                ranks,
                _ ->
                        new SimPlans(
                                new Membership(
                                        seed,
                                        new MixtureSpec(
                                                MixtureSpec.Unit.SAMPLES,
                                                List.of(
                                                        new MixtureSpec.Stage(
                                                                0,
                                                                List.of(1.0),
                                                                MixtureSpec.Ramp.STEP)),
                                                MixtureSpec.Exhaustion.REPEAT),
                                        new OrderSpec(
                                                OrderSpec.Kind.SHUFFLE,
                                                16,
                                                8,
                                                0,
                                                OrderSpec.Last.DROP),
                                        workload.batch(),
                                        new Samples()),
                                spec,
                                1,
                                ranks));
    }

    private SimSample sample(SampleRef sample) {
        return known.computeIfAbsent(sample.index(), index -> workload.sample(seed, index));
    }

    private final class Samples implements Catalog {
        @Override
        public int sources() {
            return 1;
        }

        @Override
        public long size(int source) {
            return SAMPLES;
        }

        @Override
        public Features features(SampleRef sample) {
            return sample(sample).features();
        }
    }

    private final class Costs implements SimCosts {

        private final Factor slower;

        Costs(Factor slower) {
            this.slower = slower;
        }

        @Override
        public List<CpuWork> cpuWork(SampleRef sample) {
            return sample(sample).work();
        }

        @Override
        public double cpuNanos(SampleRef sample) {
            return sample(sample).cpuNanos();
        }

        @Override
        public int pieces(SampleRef sample) {
            return sample(sample).pieces();
        }

        @Override
        public double computeNanos(long step, RankWork work) {
            return nanosPerToken * workload.compute(work) * slower.of(step);
        }
    }
}
