package io.headrace.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuKey;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingSimulationTest {

    private static final int RANKS = 4;
    private static final int STEPS = 60;
    private static final int BATCH = 32;
    private static final double MILLI = 1e6;

    /** Samples of a millisecond but one; what they cost is not seen in their descriptors. */
    private record OneSlow(long slowSample, double slowNanos, double computeNanos)
            implements Catalog, SimCosts {
        @Override
        public int sources() {
            return 1;
        }

        @Override
        public long size(int source) {
            return 10_000;
        }

        @Override
        public Features features(SampleRef sample) {
            return new Features(100, 400, units(sample), 1000);
        }

        private long units(SampleRef sample) {
            return sample.index() == slowSample ? Math.round(slowNanos / 10) : 100_000;
        }

        @Override
        public List<CpuWork> cpuWork(SampleRef sample) {
            CpuKey key = new CpuKey(Codec.JPEG, CpuKey.Operation.DECODE);
            return List.of(new CpuWork(key, units(sample), 1000, 1000));
        }

        @Override
        public double cpuNanos(SampleRef sample) {
            return sample.index() == slowSample ? slowNanos : MILLI;
        }

        @Override
        public int pieces(SampleRef sample) {
            return 1;
        }

        @Override
        public double computeNanos(long step, RankWork work) {
            return computeNanos;
        }
    }

    private static SimReport run(SimHost host, OneSlow samples, int ranks) {
        Membership membership =
                new Membership(
                        17,
                        new MixtureSpec(
                                MixtureSpec.Unit.SAMPLES,
                                List.of(
                                        new MixtureSpec.Stage(
                                                0, List.of(1.0), MixtureSpec.Ramp.STEP)),
                                MixtureSpec.Exhaustion.REPEAT),
                        new OrderSpec(OrderSpec.Kind.SHUFFLE, 16, 8, 0, OrderSpec.Last.DROP),
                        new BatchSpec.Samples(BATCH * ranks / RANKS, 1),
                        samples);
        PlanSpec spec =
                new PlanSpec(
                        new PlanSpec.Cost(1, 0),
                        new PlanSpec.Cost(1, 0),
                        PlanSpec.Method.KARMARKAR_KARP,
                        PlanSpec.Over.HYBRID);
        return new TrainingSimulation(new SimPlans(membership, spec, 1, ranks), host, samples)
                .run(STEPS);
    }

    private static SimHost host(SimPolicy policy, int cores, int readyAheadSteps) {
        return new SimHost(policy, cores, RANKS, readyAheadSteps, true);
    }

    @ParameterizedTest
    @EnumSource(SimPolicy.class)
    void everySampleIsDecodedOnceAndWithoutComputeARunLastsAsLongAsItsWork(SimPolicy policy) {
        SimReport report = run(host(policy, 4, 2), new OneSlow(-1, 0, 1), RANKS);
        assertThat(report.decoded()).isEqualTo(STEPS * BATCH);
        assertThat(report.durationNanos())
                .isBetween(STEPS * BATCH * MILLI / 4, 1.02 * STEPS * BATCH * MILLI / 4);
    }

    @ParameterizedTest
    @EnumSource(SimPolicy.class)
    void withEnoughCoresNobodyWaitsAfterTheFirstStep(SimPolicy policy) {
        SimReport report = run(host(policy, 16, 2), new OneSlow(-1, 0, 20 * MILLI), RANKS);
        assertThat(report.stallNanos(1)).isZero();
        assertThat(report.durationNanos())
                .isBetween(STEPS * 20 * MILLI, STEPS * 20 * MILLI + 10 * MILLI);
    }

    @Test
    void aSampleOfSecondsDelaysNoOtherRanksReadyWork() {
        long slow = slowSample();
        SimReport report =
                run(
                        host(SimPolicy.DEADLINE, 4, 2),
                        new OneSlow(slow, 5_000 * MILLI, 20 * MILLI),
                        RANKS);
        List<SimReport.Step> late =
                report.steps().stream().filter(s -> s.stallNanos() > 1_000 * MILLI).toList();
        assertThat(late).hasSize(1);
        assertThat(late.getFirst().waitNanos().stream().filter(w -> w > 0)).hasSize(1);
        assertThat(report.misses(3, 2 * MILLI)).as("(rank, step) pairs that wait").isEqualTo(1);
        assertThat(report.stallNanos(3)).isLessThan(5_000 * MILLI);
    }

    /** A sample that is drawn in the middle of the run. */
    private static long slowSample() {
        Membership membership =
                new Membership(
                        17,
                        new MixtureSpec(
                                MixtureSpec.Unit.SAMPLES,
                                List.of(
                                        new MixtureSpec.Stage(
                                                0, List.of(1.0), MixtureSpec.Ramp.STEP)),
                                MixtureSpec.Exhaustion.REPEAT),
                        new OrderSpec(OrderSpec.Kind.SHUFFLE, 16, 8, 0, OrderSpec.Last.DROP),
                        new BatchSpec.Samples(BATCH, 1),
                        new OneSlow(-1, 0, 1));
        var state = membership.start();
        for (int step = 0; step < STEPS / 2; step++) {
            state = ((Membership.Outcome.Step) membership.next(state)).next();
        }
        return ((Membership.Outcome.Step) membership.next(state))
                .members()
                .all()
                .getFirst()
                .sample()
                .index();
    }

    @Test
    void hostsWaitForTheSlowestOfAll() {
        SimReport report =
                run(host(SimPolicy.DEADLINE, 4, 2), new OneSlow(-1, 0, MILLI), 4 * RANKS);
        assertThat(report.steps()).hasSize(STEPS);
        assertThat(report.steps()).allMatch(step -> step.waitNanos().size() == 4 * RANKS);
        assertThat(report.decoded()).isEqualTo(4L * STEPS * BATCH);
        IntStream.range(1, STEPS)
                .forEach(
                        i ->
                                assertThat(report.steps().get(i).requestNanos())
                                        .isEqualTo(report.steps().get(i - 1).endNanos()));
    }
}
