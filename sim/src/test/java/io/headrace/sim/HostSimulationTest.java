package io.headrace.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Catalog;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Topology;
import io.headrace.engine.schedule.DecodePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSimulationTest {

    private static final int RANKS = 4;
    private static final int STEPS = 60;
    private static final int BATCH = 32;
    private static final long MILLI = 1_000_000;

    /** One source whose pixels vary a hundredfold, by a fixed rule. */
    private record Uneven(long slowSample) implements Catalog {
        @Override
        public int sources() {
            return 1;
        }

        @Override
        public long size(int source) {
            return 1000;
        }

        @Override
        public Features features(SampleRef sample) {
            long hash = ((sample.index() + 1) * 0x9E3779B97F4A7C15L) >>> 40;
            int size = 1 + (int) (hash % 100) * (int) (hash % 100) / 100;
            long pixels = sample.index() == slowSample ? 5_000_000 : 1000L * size;
            return new Features(size, 4 * size, pixels, pixels);
        }
    }

    /** One nanosecond a pixel is a millisecond for 1e6 pixels; here a pixel takes a microsecond. */
    private record Costs(long computeNanosPerToken) implements SimCosts {
        @Override
        public long decodeNanos(Features sample) {
            return 1000 * sample.pixels();
        }

        @Override
        public long computeNanos(Features rankTotal) {
            return computeNanosPerToken * rankTotal.tokens();
        }
    }

    private static SimReport run(
            SimHost host, PlanSpec.Method method, long slowSample, long computeNanosPerToken) {
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
                        new Uneven(slowSample));
        Planner planner =
                new Planner(
                        new PlanSpec(
                                new PlanSpec.Cost(1, 0),
                                new PlanSpec.Cost(1, 0),
                                method,
                                PlanSpec.Over.HYBRID),
                        1);
        return new HostSimulation(
                        membership,
                        planner,
                        new Topology(RANKS, 1, 1, 1),
                        DecodePolicy.FIRST_STEP_FIRST,
                        host,
                        new Costs(computeNanosPerToken))
                .run(STEPS);
    }

    @Test
    void everySampleOfEveryStepIsDecodedOnceAndRunsRepeatExactly() {
        SimHost host = new SimHost(4, 1, 2);
        SimReport first = run(host, PlanSpec.Method.KARMARKAR_KARP, -1, 10_000);
        assertThat(first.waitNanos()).hasSize(STEPS).allMatch(step -> step.size() == RANKS);
        assertThat(first.decodedSamples()).isGreaterThanOrEqualTo((long) STEPS * BATCH);
        assertThat(run(host, PlanSpec.Method.KARMARKAR_KARP, -1, 10_000)).isEqualTo(first);
    }

    @Test
    void withoutComputeTheRunLastsAsLongAsTheWorkers() {
        SimReport report = run(new SimHost(1, 1, 0), PlanSpec.Method.ROUND_ROBIN, -1, 0);
        assertThat(report.durationNanos()).isEqualTo(report.stallNanos());
    }

    @Test
    void withEnoughCoresNobodyWaitsAfterTheFirstSteps() {
        SimReport report =
                run(new SimHost(64, 1, 2), PlanSpec.Method.KARMARKAR_KARP, -1, 10 * MILLI);
        assertThat(report.waitNanos().subList(3, STEPS))
                .allMatch(step -> step.stream().allMatch(wait -> wait == 0));
        assertThat(report.missRate(2 * MILLI)).isLessThan(0.05);
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 100_000, 400_000})
    void onePoolWithBalanceIsFasterThanPoolsOfRanks(long computeNanosPerToken) {
        SimReport shared =
                run(new SimHost(4, 1, 2), PlanSpec.Method.KARMARKAR_KARP, -1, computeNanosPerToken);
        SimReport local =
                run(new SimHost(4, 4, 2), PlanSpec.Method.ROUND_ROBIN, -1, computeNanosPerToken);
        assertThat(shared.durationNanos()).isLessThan(local.durationNanos());
    }

    @Test
    void aSampleOfSecondsDelaysItsOwnRankAndNotWhatIsReadyForOthers() {
        SimReport report = run(new SimHost(4, 1, 2), PlanSpec.Method.KARMARKAR_KARP, 3, 400_000);
        long worst =
                report.waitNanos().stream().flatMap(List::stream).mapToLong(w -> w).max().orElse(0);
        assertThat(worst).isGreaterThan(3_000 * MILLI);
        List<Long> step =
                report.waitNanos().stream()
                        .filter(waits -> waits.contains(worst))
                        .findFirst()
                        .orElseThrow();
        assertThat(step.stream().filter(wait -> wait < worst / 10).count())
                .as("ranks that wait a tenth of it in the step of the slow sample: " + step)
                .isEqualTo(RANKS - 1);
    }
}
