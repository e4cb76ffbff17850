package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Members.Row;
import io.headrace.engine.plan.Runs.Run;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Kind;
import io.headrace.engine.recipe.OrderSpec.Last;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackingTest {

    private static final long SEED = 99;

    private static Membership packs(Last last, int packs, int lengthTokens, int... tokens) {
        return new Membership(
                SEED,
                Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, 1.0),
                new OrderSpec(Kind.SEQUENTIAL, 1, 1, 1, last),
                Runs.packs(packs, lengthTokens),
                GivenCatalog.of(tokens));
    }

    /** Lengths of chat data: most short, a few near the cap and beyond. */
    private static int[] lengths(int samples, double median, double spread) {
        Random random = new Random(SEED);
        int[] lengths = new int[samples];
        Arrays.setAll(
                lengths,
                i -> 1 + (int) Math.round(median * Math.exp(spread * random.nextGaussian())));
        return lengths;
    }

    private static List<List<Long>> indexes(Members members) {
        return members.rows().stream()
                .map(row -> row.members().stream().map(m -> m.sample().index()).toList())
                .toList();
    }

    @Test
    void aSampleGoesIntoTheFullestPackWithRoomForIt() {
        Members members = Runs.run(packs(Last.PAD, 2, 10, 6, 7, 3, 4), 1).steps().getFirst();
        assertThat(indexes(members)).containsExactly(List.of(0L, 3L), List.of(1L, 2L));
    }

    @Test
    void whatFindsNoRoomIsFirstInTheNextStep() {
        Run run = Runs.run(packs(Last.PAD, 2, 10, 6, 7, 5, 4, 3, 9, 8), 10);
        assertThat(indexes(run.steps().get(0))).containsExactly(List.of(0L, 3L), List.of(1L, 4L));
        assertThat(run.states().get(1).carry()).containsExactly(new SampleRef(0, 2));
        assertThat(indexes(run.steps().get(1))).containsExactly(List.of(2L), List.of(5L));
        assertThat(run.states().get(2).carry()).containsExactly(new SampleRef(0, 6));
        assertThat(indexes(run.steps().get(2))).containsExactly(List.of(6L), List.of(6L));
        assertThat(run.fillers()).isEqualTo(1);
        assertThat(run.delivered()).hasSize(7);
    }

    @Test
    void lastPacksThatStayEmptyEndTheJobWithTheNumberDropped() {
        Run run = Runs.run(packs(Last.DROP, 2, 10, 6, 7, 5, 4, 3, 9, 8), 10);
        assertThat(run.steps()).hasSize(2);
        assertThat(run.ends().getFirst().dropped()).containsExactly(new SampleRef(0, 6));
    }

    @Test
    void samplesLongerThanAPackAreListed() {
        Run run = Runs.run(packs(Last.PAD, 2, 10, 11, 10, 5, 12, 5, 13), 10);
        assertThat(run.delivered()).extracting(SampleRef::index).containsExactly(1L, 2L, 4L);
        assertThat(run.tooLong()).extracting(SampleRef::index).containsExactly(0L, 3L, 5L);
        assertThat(run.steps().getFirst().tooLong()).hasSize(2);
        assertThat(run.ends().getFirst().tooLong()).hasSize(1);
    }

    @Test
    void dataThatFitsNoPackIsAnErrorAndNotASearchWithoutEnd() {
        Catalog tooLong =
                new Catalog() {
                    @Override
                    public int sources() {
                        return 1;
                    }

                    @Override
                    public long size(int source) {
                        return 10;
                    }

                    @Override
                    public Features features(SampleRef sample) {
                        return new Features(5000, 0, 0, 0);
                    }
                };
        Membership membership =
                new Membership(
                        SEED,
                        Runs.mixture(Unit.TOKENS, Exhaustion.REPEAT, 1.0),
                        Runs.ENDLESS,
                        Runs.packs(2, 4096),
                        tooLong);
        assertThatThrownBy(() -> membership.next(membership.start()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("longer than a pack of 4096 tokens")
                .hasMessageContaining("of 5000 tokens");
    }

    @Test
    void samplesWithoutTokensStillFillPacks() {
        int[] none = new int[20];
        Run run = Runs.run(packs(Last.PAD, 2, 5, none), 10);
        assertThat(run.steps()).hasSize(2);
        assertThat(run.delivered()).hasSize(20);
    }

    /** Room is used, the carry is bounded, nothing waits long, at several shapes of batch. */
    @ParameterizedTest
    @CsvSource({
        "64, 8192, 700, 1.0, 0.99",
        "8, 4096, 600, 1.2, 0.98",
        "1, 2048, 150, 1.0, 0.96",
        "512, 8192, 700, 1.0, 0.99",
        "16, 2048, 800, 0.6, 0.95"
    })
    void packsAreFullAndNothingWaitsLong(
            int packs, int lengthTokens, double median, double spread, double leastFill) {
        System.out.println("seed " + SEED);
        Membership membership =
                new Membership(
                        SEED,
                        Runs.mixture(Unit.TOKENS, Exhaustion.REPEAT, 1.0),
                        Runs.ENDLESS,
                        Runs.packs(packs, lengthTokens),
                        GivenCatalog.of(lengths(30_000, median, spread)));
        Run run = Runs.run(membership, 50_000 / packs / 20 + 3);
        long tokens = 0;
        Map<SampleRef, Integer> waiting = new HashMap<>();
        for (int step = 0; step < run.steps().size(); step++) {
            Members members = run.steps().get(step);
            for (Row row : members.rows()) {
                int length = row.members().stream().mapToInt(m -> m.features().tokens()).sum();
                assertThat(length).isLessThanOrEqualTo(lengthTokens);
                tokens += length;
            }
            List<SampleRef> carried = run.states().get(step).carry();
            assertThat(carried.size())
                    .isLessThanOrEqualTo(
                            Math.min(packs * Membership.MAX_DELAY_STEPS, Membership.MAX_CARRY));
            waiting.keySet().retainAll(carried);
            carried.forEach(sample -> waiting.merge(sample, 1, Integer::sum));
            assertThat(waiting.values()).allMatch(steps -> steps <= Membership.MAX_DELAY_STEPS);
        }
        double fill = tokens / ((double) lengthTokens * packs * run.steps().size());
        System.out.printf("%d packs of %d: %.4f full%n", packs, lengthTokens, fill);
        assertThat(fill).isBetween(leastFill, 1.0);
    }
}
