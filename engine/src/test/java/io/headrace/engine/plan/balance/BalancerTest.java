package io.headrace.engine.plan.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.recipe.PlanSpec.Method;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BalancerTest {

    private static final long SEED = 4711;

    /** Costs as real batches have them: a few long samples among many short ones. */
    private static long[] costs(Random random, int items) {
        long[] costs = new long[items];
        Arrays.setAll(costs, i -> Math.round(1e6 * Math.exp(random.nextGaussian())));
        return costs;
    }

    private static long heaviest(Method method, long[] costs, int bins) {
        return Loads.max(Loads.of(costs, Balancer.assign(method, costs, bins), bins));
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void countsAreEqualAndTheSameEachTime(Method method) {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            int bins = 1 + random.nextInt(12);
            long[] costs = costs(random, bins * (1 + random.nextInt(10)));
            int[] binOf = Balancer.assign(method, costs, bins);
            int[] counts = new int[bins];
            Arrays.stream(binOf).forEach(bin -> counts[bin]++);
            assertThat(counts).containsOnly(costs.length / bins);
            assertThat(Balancer.assign(method, costs.clone(), bins)).isEqualTo(binOf);
        }
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void neverHeavierThanRoundRobin(Method method) {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED + 1);
        for (int round = 0; round < 2000; round++) {
            int bins = 2 + random.nextInt(8);
            int items = bins * (1 + random.nextInt(6));
            long[] costs = new long[items];
            int spread = 1 + random.nextInt(1000);
            Arrays.setAll(costs, i -> random.nextInt(spread));
            assertThat(heaviest(method, costs, bins))
                    .isLessThanOrEqualTo(heaviest(Method.ROUND_ROBIN, costs, bins));
        }
    }

    /** Against the exact optimum of equal counts, found by branch and bound. */
    @ParameterizedTest
    @CsvSource({"8, 2", "12, 2", "12, 3", "12, 4", "15, 3", "16, 4", "15, 5"})
    void karmarkarKarpIsOnAverageWithinTwoPercentOfTheOptimum(int items, int bins) {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED + 2);
        int rounds = 60;
        double differencing = 0;
        double greedy = 0;
        for (int round = 0; round < rounds; round++) {
            long[] costs = costs(random, items);
            double optimum = new Optimum(costs, bins).heaviest();
            differencing += heaviest(Method.KARMARKAR_KARP, costs, bins) / optimum / rounds;
            greedy += heaviest(Method.GREEDY, costs, bins) / optimum / rounds;
        }
        System.out.printf(
                "%d items, %d bins: Karmarkar-Karp %.4f, greedy %.4f of the optimum%n",
                items, bins, differencing, greedy);
        assertThat(differencing).isBetween(1.0, 1.02);
        assertThat(greedy).isBetween(1.0, 1.10);
    }

    /** A large job: 512 ranks of 16 packs each, and packs are nearly alike. */
    @ParameterizedTest
    @CsvSource({"GREEDY", "KARMARKAR_KARP"})
    void largeJobsEndNextToTheMean(Method method) {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED + 3);
        for (int bins : new int[] {8, 64, 512}) {
            long[] costs = costs(random, bins * 16);
            double mean = (double) Arrays.stream(costs).sum() / bins;
            double overMean = heaviest(method, costs, bins) / mean;
            double inTurn = heaviest(Method.ROUND_ROBIN, costs, bins) / mean;
            System.out.printf("%s %d bins: %.4f, in turn %.4f%n", method, bins, overMean, inTurn);
            long[] sorted = costs.clone();
            Arrays.sort(sorted);
            long leastOfDearest = sorted[sorted.length - 1];
            for (int i = 0; i < 15; i++) {
                leastOfDearest += sorted[i];
            }
            double bound = Math.max(1, leastOfDearest / mean);
            assertThat(overMean).isBetween(bound, bound * 1.001);
        }
    }

    @Test
    void oneGiantItemIsTheBound() {
        long[] costs = new long[64];
        Arrays.fill(costs, 1);
        costs[17] = 1000;
        assertThat(heaviest(Method.KARMARKAR_KARP, costs, 4)).isEqualTo(1015);
        assertThat(heaviest(Method.GREEDY, costs, 4)).isEqualTo(1015);
    }

    @Test
    void itemsOfNoCostAndSingleBinsAreFine() {
        assertThat(Balancer.assign(Method.KARMARKAR_KARP, new long[6], 3)).hasSize(6);
        assertThat(Balancer.assign(Method.GREEDY, new long[] {5, 4}, 1)).containsExactly(0, 0);
        assertThat(Balancer.assign(Method.GREEDY, new long[] {5, 4}, 2)).containsExactly(0, 1);
        assertThat(Balancer.assign(Method.GREEDY, new long[0], 2)).isEmpty();
    }

    @Test
    void refusesItemsThatDoNotDivide() {
        assertThatThrownBy(() -> Balancer.assign(Method.GREEDY, new long[7], 2))
                .hasMessage("7 items do not divide by 2 bins");
    }
}
