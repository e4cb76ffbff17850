package io.headrace.engine.plan.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermutationTest {

    private static final long SEED = 20_240_611;

    @Test
    void everyValueHasOnePlaceAndIsFoundAgain() {
        for (int size = 1; size <= 400; size++) {
            for (long seed = 0; seed < 5; seed++) {
                Permutation permutation = new Permutation(size, seed);
                BitSet seen = new BitSet(size);
                for (int place = 0; place < size; place++) {
                    int value = (int) permutation.apply(place);
                    seen.set(value);
                    assertThat(permutation.invert(value)).isEqualTo(place);
                }
                assertThat(seen.cardinality()).as("size %d seed %d", size, seed).isEqualTo(size);
            }
        }
    }

    @Test
    void hugeSizesStayInRangeAndInvert() {
        long size = (1L << 42) + 12_345;
        Permutation permutation = new Permutation(size, SEED);
        for (long place : new long[] {0, 1, 2, size / 3, size - 2, size - 1}) {
            long value = permutation.apply(place);
            assertThat(value).isBetween(0L, size - 1);
            assertThat(permutation.invert(value)).isEqualTo(place);
        }
    }

    /**
     * Chi-square over all permutations of a few values, 200 draws a permutation. The mean of the statistic is its degrees of freedom d,
     * its deviation sqrt(2 d); five deviations is one false alarm in a million.
     */
    @ParameterizedTest
    @CsvSource({"2, 2", "3, 6", "4, 24", "5, 120", "6, 720"})
    void allPermutationsOfFewValuesAreAlike(int size, int permutations) {
        System.out.println("seed " + SEED);
        int draws = 200 * permutations;
        Map<Long, Integer> counts = new HashMap<>();
        for (int draw = 0; draw < draws; draw++) {
            Permutation permutation = new Permutation(size, SEED + draw);
            long code = 0;
            for (int place = 0; place < size; place++) {
                code = code * size + permutation.apply(place);
            }
            counts.merge(code, 1, Integer::sum);
        }
        assertThat(counts).hasSize(permutations);
        double excess = deviations(counts.values().stream().mapToInt(i -> i).toArray(), draws);
        System.out.printf("size %d: chi-square %.2f deviations above its mean%n", size, excess);
        assertThat(excess).isLessThan(5);
    }

    /** Where the first and the last value go, and how far neighbours part: each even over the seeds. */
    @ParameterizedTest
    @CsvSource({"7", "64", "100", "1000", "1021"})
    void placesAndDistancesOfNeighboursAreEven(int size) {
        System.out.println("seed " + SEED);
        int draws = 200 * size;
        int[] first = new int[size];
        int[] last = new int[size];
        int[] distance = new int[size - 1];
        for (int draw = 0; draw < draws; draw++) {
            Permutation permutation = new Permutation(size, SEED + draw);
            long at = permutation.apply(size / 2);
            long behind = permutation.apply(size / 2 - 1);
            first[(int) permutation.apply(0)]++;
            last[(int) permutation.apply(size - 1)]++;
            distance[(int) Math.floorMod(at - behind, (long) size) - 1]++;
        }
        assertThat(deviations(first, draws)).isLessThan(5);
        assertThat(deviations(last, draws)).isLessThan(5);
        assertThat(deviations(distance, draws)).isLessThan(5);
    }

    /** The spectral kind of fault: pairs of places that keep their order too often. */
    @Test
    void halfOfThePairsAreInverted() {
        int size = 2000;
        Permutation permutation = new Permutation(size, SEED);
        long inversions = 0;
        for (int i = 0; i < size; i++) {
            for (int j = i + 1; j < size; j++) {
                inversions += permutation.apply(i) > permutation.apply(j) ? 1 : 0;
            }
        }
        double mean = size * (size - 1.0) / 4;
        double deviation = Math.sqrt(size * (size - 1.0) * (2 * size + 5) / 72);
        assertThat(Math.abs(inversions - mean)).isLessThan(5 * deviation);
    }

    @Test
    void refusesWhatIsOutside() {
        assertThatThrownBy(() -> new Permutation(0, 1)).hasMessageContaining("0 values");
        assertThatThrownBy(() -> new Permutation(5, 1).apply(5)).hasMessageContaining("5 of");
        assertThatThrownBy(() -> new Permutation(5, 1).invert(-1)).hasMessageContaining("-1 of");
    }

    private static double deviations(int[] counts, int draws) {
        double expected = (double) draws / counts.length;
        double chiSquare = 0;
        for (int count : counts) {
            chiSquare += (count - expected) * (count - expected) / expected;
        }
        double freedom = counts.length - 1.0;
        return (chiSquare - freedom) / Math.sqrt(2 * freedom);
    }
}
