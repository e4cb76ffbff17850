package io.headrace.engine.cost.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.recipe.PlanSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class AcceleratorModelTest {

    private static final int RANKS = 8;
    private static final PlanSpec PRIOR =
            new PlanSpec(
                    new PlanSpec.Cost(1, 2e-5),
                    new PlanSpec.Cost(1, 1e-5),
                    PlanSpec.Method.KARMARKAR_KARP,
                    PlanSpec.Over.HYBRID);

    private final AcceleratorModel model = new AcceleratorModel(PRIOR);
    private long state = 17;
    private long now = 1_000_000_000_000_000L;

    /** A uniform value below 1, the same in every run. */
    private double uniform() {
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1p-53;
    }

    private RankWork rank() {
        RankWork work = RankWork.NONE;
        for (int i = 0; i < 4; i++) {
            int tokens = (int) Math.exp(5 + 3 * uniform());
            work = work.plus(new Features(tokens, (int) (4 * tokens * uniform()), 0, 0));
        }
        return work;
    }

    private static double truth(RankWork w) {
        return 40e6 + 20e3 * w.tokens() + 3 * w.tokensSquared() + 2e3 * w.patches();
    }

    /** A step of all ranks that ends with the slowest; gives the relative error of its prediction. */
    private double step(ToDoubleFunction<RankWork> truth, boolean own) {
        List<RankWork> works = new ArrayList<>();
        double window = 0;
        for (int r = 0; r < RANKS; r++) {
            works.add(rank());
            double noise = 1 + 0.02 * (uniform() - 0.5);
            window = Math.max(window, noise * truth.applyAsDouble(works.getLast()));
        }
        double predicted = model.predictNanos(works);
        List<RankTimes> times = new ArrayList<>();
        for (RankWork work : works) {
            long ownNanos = own ? Math.round(truth.applyAsDouble(work)) : 0;
            times.add(new RankTimes(work, now, now + Math.round(window), ownNanos));
        }
        model.observe(times);
        now += Math.round(window);
        return Math.abs(predicted - window) / window;
    }

    private double meanError(int steps, ToDoubleFunction<RankWork> truth, boolean own) {
        double sum = 0;
        for (int i = 0; i < steps; i++) {
            sum += step(truth, own);
        }
        return sum / steps;
    }

    @Test
    void windowsOfTheSlowestRankAloneTeachTheCostOfAll() {
        double first = meanError(20, AcceleratorModelTest::truth, false);
        meanError(100, AcceleratorModelTest::truth, false);
        double later = meanError(50, AcceleratorModelTest::truth, false);
        assertThat(later).isLessThan(0.03).isLessThan(first / 3);
        assertThat(model.cost().isLearnt()).isTrue();
    }

    @Test
    void ranksThatTellTheirOwnTimeAreLearntFromAtOnce() {
        meanError(20, AcceleratorModelTest::truth, true);
        assertThat(meanError(20, AcceleratorModelTest::truth, true)).isLessThan(0.03);
        RankWork small = RankWork.NONE.plus(new Features(500, 500, 0, 0));
        assertThat(model.predictNanos(small) / truth(small)).isBetween(0.9, 1.1);
    }

    @Test
    void aPriorThatIsRightStaysInUse() {
        ToDoubleFunction<RankWork> asThePrior =
                w ->
                        7e3
                                * (w.tokens()
                                        + 1e-5 * w.tokensSquared()
                                        + w.patches()
                                        + 2e-5 * w.patchesSquared());
        meanError(10, asThePrior, false);
        assertThat(meanError(50, asThePrior, false)).isLessThan(0.02);
    }

    @Test
    void learntCostsAreNotUsedBeforeTheyBeatThePrior() {
        for (int i = 0; i < 200; i++) {
            step(AcceleratorModelTest::truth, false);
            if (i < 2 * RankWork.FEATURES) {
                assertThat(model.cost().isLearnt()).as("step " + i).isFalse();
            }
        }
    }

    @Test
    void aChangeOfSpeedIsFollowedWithinTwentySteps() {
        meanError(100, AcceleratorModelTest::truth, false);
        for (double factor : new double[] {2, 0.5, 0.5, 2}) {
            meanError(20, w -> factor * truth(w), false);
            assertThat(meanError(30, w -> factor * truth(w), false))
                    .as("after a change to " + factor)
                    .isLessThan(0.06);
            meanError(20, AcceleratorModelTest::truth, false);
            assertThat(meanError(30, AcceleratorModelTest::truth, false))
                    .as("after the change back from " + factor)
                    .isLessThan(0.06);
        }
    }

    @Test
    void aStepThatStandsStillNowAndThenSpoilsNothing() {
        meanError(100, AcceleratorModelTest::truth, false);
        double sum = 0;
        for (int i = 0; i < 100; i++) {
            boolean checkpoint = i % 10 == 9;
            double error = step(w -> (checkpoint ? 30 : 1) * truth(w), false);
            sum += checkpoint ? 0 : error;
        }
        assertThat(sum / 90).isLessThan(0.08);
    }

    @Test
    void costsNeverBecomeNegativeOrUnknown() {
        for (int i = 0; i < 300; i++) {
            double wild = Math.exp(8 * (uniform() - 0.5));
            step(w -> wild * truth(w), false);
            for (double coefficient : model.cost().coefficients()) {
                assertThat(coefficient).isNotNegative().isFinite();
            }
        }
        model.observe(List.of());
        model.observe(List.of(new RankTimes(RankWork.NONE, 5, 5, 0)));
        model.observe(List.of(new RankTimes(RankWork.NONE, 5, 1, 0)));
        assertThat(model.predictNanos(rank())).isFinite().isPositive();
    }

    @Test
    void nothingIsPlannedWithBeforeThereIsSomethingToGoBy() {
        assertThat(model.isConfident()).isFalse();
        assertThat(model.predictNanos(rank())).isZero();
        meanError(10, AcceleratorModelTest::truth, false);
        assertThat(model.isConfident()).isTrue();
    }
}
