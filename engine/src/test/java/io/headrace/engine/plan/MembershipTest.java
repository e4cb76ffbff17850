package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Runs.Run;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Last;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which samples make the steps: finite passes, exhaustion, sources that may not be opened. */
class MembershipTest {

    private static final Double[] SHARES = {10.0, 10.0, 1.0};

    private static Membership pass(Last last, int samples, int... sizes) {
        Double[] weights =
                Arrays.stream(sizes).mapToObj(size -> (double) size).toArray(Double[]::new);
        return new Membership(
                11,
                Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, weights),
                Runs.order(1, last),
                Runs.samples(samples),
                GivenCatalog.random(11, 100, sizes));
    }

    private static List<SampleRef> everySample(int... sizes) {
        return IntStream.range(0, sizes.length)
                .boxed()
                .flatMap(
                        source ->
                                IntStream.range(0, sizes[source])
                                        .mapToObj(i -> new SampleRef(source, i)))
                .toList();
    }

    @Test
    void tenTenAndOneOverFourRanksPadded() {
        Run run = Runs.run(pass(Last.PAD, 4, 10, 10, 1), 100);
        assertThat(run.steps()).hasSize(6);
        assertThat(run.delivered()).containsExactlyInAnyOrderElementsOf(everySample(10, 10, 1));
        assertThat(run.fillers()).isEqualTo(3);
        assertThat(run.ends()).containsExactly(new Membership.Outcome.End(List.of(), List.of()));
        assertThat(run.steps()).allMatch(members -> members.rows().size() == 4);
    }

    @Test
    void tenTenAndOneOverFourRanksDropped() {
        Run run = Runs.run(pass(Last.DROP, 4, 10, 10, 1), 100);
        assertThat(run.steps()).hasSize(5);
        assertThat(run.fillers()).isZero();
        assertThat(run.ends().getFirst().dropped()).hasSize(1);
        assertThat(run.delivered()).doesNotContainAnyElementsOf(run.ends().getFirst().dropped());
        List<SampleRef> all = new ArrayList<>(run.delivered());
        all.addAll(run.ends().getFirst().dropped());
        assertThat(all).containsExactlyInAnyOrderElementsOf(everySample(10, 10, 1));
    }

    @ParameterizedTest
    @EnumSource(Exhaustion.class)
    void oneEpochUnderEveryRuleEnds(Exhaustion exhaustion) {
        Membership membership =
                new Membership(
                        5,
                        Runs.mixture(Unit.SAMPLES, exhaustion, SHARES),
                        Runs.order(1, Last.PAD),
                        Runs.samples(3),
                        GivenCatalog.random(5, 10, 7, 9, 4));
        Run run = Runs.run(membership, 1000);
        assertThat(run.ends()).hasSize(1);
        assertThat(run.delivered()).doesNotHaveDuplicates();
        if (exhaustion == Exhaustion.STOP_FIRST) {
            assertThat(run.delivered().stream().filter(sample -> sample.source() == 0)).hasSize(7);
            assertThat(run.delivered().size()).isLessThan(20);
        } else {
            assertThat(run.delivered()).containsExactlyInAnyOrderElementsOf(everySample(7, 9, 4));
        }
    }

    @Test
    void epochsCountPassesOfEachSource() {
        Membership membership =
                new Membership(
                        5,
                        Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, 1.0, 1.0),
                        Runs.order(3, Last.PAD),
                        Runs.samples(4),
                        GivenCatalog.random(5, 10, 5, 9));
        Run run = Runs.run(membership, 1000);
        for (SampleRef sample : everySample(5, 9)) {
            assertThat(run.delivered().stream().filter(sample::equals)).hasSize(3);
        }
    }

    @Test
    void repeatGoesOnInAnotherOrder() {
        Membership membership =
                new Membership(
                        5,
                        Runs.mixture(Unit.SAMPLES, Exhaustion.REPEAT, 1.0),
                        Runs.ENDLESS,
                        Runs.samples(20),
                        GivenCatalog.random(5, 10, 20));
        Run run = Runs.run(membership, 3);
        assertThat(run.steps()).hasSize(3);
        for (Members members : run.steps()) {
            assertThat(members.delivered()).containsExactlyInAnyOrderElementsOf(everySample(20));
        }
        assertThat(run.steps().get(0).delivered()).isNotEqualTo(run.steps().get(1).delivered());
    }

    /** A catalog whose forbidden sources break the test when asked. */
    private record Guarded(int forbiddenFrom, int sources, long size) implements Catalog {
        @Override
        public long size(int source) {
            allowed(source);
            return source == 0 ? size : 0;
        }

        @Override
        public Features features(SampleRef sample) {
            allowed(sample.source());
            return new Features(5, 20, 100, 100);
        }

        private void allowed(int source) {
            if (source >= forbiddenFrom) {
                throw new AssertionError("Source " + source + " was opened");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Exhaustion.class)
    void weightZeroIsNeverOpenedAndEmptySourcesNeverSpin(Exhaustion exhaustion) {
        int sources = 1024;
        Double[] weights = new Double[sources];
        Arrays.fill(weights, 0, 1000, 1.0);
        Arrays.fill(weights, 1000, sources, 0.0);
        for (Unit unit : Unit.values()) {
            Membership membership =
                    new Membership(
                            5,
                            Runs.mixture(unit, exhaustion, weights),
                            Runs.order(1, Last.PAD),
                            Runs.samples(4),
                            new Guarded(1000, sources, 21));
            Run run = Runs.run(membership, 100);
            assertThat(run.steps()).hasSize(6);
            assertThat(run.delivered()).hasSize(21).doesNotHaveDuplicates();
            assertThat(run.ends()).hasSize(1);
        }
    }

    @Test
    void nothingToGiveEndsAtOnce() {
        for (Exhaustion exhaustion : Exhaustion.values()) {
            for (Last last : Last.values()) {
                Membership empty =
                        new Membership(
                                5,
                                Runs.mixture(Unit.SAMPLES, exhaustion, 1.0, 0.0),
                                Runs.order(0, last),
                                Runs.samples(4),
                                GivenCatalog.random(5, 10, 0, 10));
                assertThat(empty.next(empty.start()))
                        .isEqualTo(new Membership.Outcome.End(List.of(), List.of()));
            }
        }
    }

    @Test
    void aSourceOpensAndClosesWithItsStages() {
        Membership membership =
                new Membership(
                        5,
                        Runs.mixture(
                                Unit.SAMPLES,
                                new Stage(0, List.of(1.0, 0.0), Ramp.STEP),
                                new Stage(10, List.of(1.0, 3.0), Ramp.STEP),
                                new Stage(20, List.of(0.0, 1.0), Ramp.STEP)),
                        Runs.ENDLESS,
                        Runs.samples(8),
                        GivenCatalog.random(5, 10, 30, 30));
        Run run = Runs.run(membership, 30);
        for (Members members : run.steps()) {
            long second =
                    members.delivered().stream().filter(sample -> sample.source() == 1).count();
            assertThat(second).isEqualTo(members.step() < 10 ? 0 : members.step() < 20 ? 6 : 8);
        }
    }

    @Test
    void fillersRepeatTheShortestSampleMasked() {
        Membership membership =
                new Membership(
                        5,
                        Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, 1.0),
                        new OrderSpec(OrderSpec.Kind.SEQUENTIAL, 1, 1, 1, Last.PAD),
                        Runs.samples(4),
                        GivenCatalog.of(50, 7, 30));
        Members members = Runs.run(membership, 1).steps().getFirst();
        assertThat(members.all())
                .extracting(member -> member.sample().index())
                .containsExactly(0L, 1L, 2L, 1L);
        assertThat(members.all())
                .extracting(Members.Member::filler)
                .containsExactly(false, false, false, true);
        assertThat(members.delivered()).hasSize(3);
    }

    @Test
    void microbatchesDoNotEnter() {
        for (BatchSpec batch :
                List.of(new BatchSpec.Samples(12, 3), new BatchSpec.Packs(12, 99, 6))) {
            BatchSpec whole =
                    batch instanceof BatchSpec.Packs ? Runs.packs(12, 99) : Runs.samples(12);
            assertThat(Runs.run(endless(batch), 20)).isEqualTo(Runs.run(endless(whole), 20));
        }
    }

    private static Membership endless(BatchSpec batch) {
        return new Membership(
                5,
                Runs.mixture(Unit.TOKENS, Exhaustion.REPEAT, SHARES),
                Runs.ENDLESS,
                batch,
                GivenCatalog.random(5, 40, 90, 70, 8));
    }

    @Test
    void checkpointOfOtherDataIsRefused() {
        Membership membership = pass(Last.PAD, 4, 10, 10, 1);
        MembershipState state = membership.at(2);
        assertThat(membership.resume(membership.checkpoint(state))).isEqualTo(state);
        Checkpoint saved = pass(Last.PAD, 4, 10, 11, 1).checkpoint(state);
        assertThatThrownBy(() -> membership.resume(saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Checkpoint before step 2 does not fit: its size of source 1 is 11, the job's is 10");
        OrderSpec order = saved.order();
        List<Long> sizes = List.of(10L, 10L, 1L);
        Checkpoint otherFormat = new Checkpoint(99, 11, order, sizes, Unit.SAMPLES, state);
        assertThatThrownBy(() -> membership.resume(otherFormat))
                .hasMessageContaining("its format is 99, the job's is 1");
        Checkpoint otherSeed = new Checkpoint(1, 12, order, sizes, Unit.SAMPLES, state);
        assertThatThrownBy(() -> membership.resume(otherSeed))
                .hasMessageContaining("its seed is 12, the job's is 11");
        OrderSpec blocks = new OrderSpec(OrderSpec.Kind.SHUFFLE, 5, 3, 1, Last.PAD);
        Checkpoint otherOrder = new Checkpoint(1, 11, blocks, sizes, Unit.SAMPLES, state);
        assertThatThrownBy(() -> membership.resume(otherOrder))
                .hasMessageContaining("blocks of 5 in windows of 3")
                .hasMessageContaining("blocks of 4 in windows of 3");
        OrderSpec sequential = new OrderSpec(OrderSpec.Kind.SEQUENTIAL, 0, 0, 1, Last.PAD);
        Checkpoint unshuffled = new Checkpoint(1, 11, sequential, sizes, Unit.SAMPLES, state);
        assertThatThrownBy(() -> membership.resume(unshuffled))
                .hasMessageContaining("its order is sequential");
    }

    /** Weights of a later run may open a source for the first time, and leave one that was open. */
    @Test
    void weightsMayChangeBetweenRuns() {
        for (Exhaustion exhaustion : Exhaustion.values()) {
            Membership before = weighted(exhaustion, 1.0, 1.0, 0.0);
            Run first = Runs.run(before, 3);
            Checkpoint saved = before.checkpoint(first.states().getLast());
            assertThat(saved.sizes()).containsExactly(10L, 10L, 0L);
            Membership after = weighted(exhaustion, 0.0, 1.0, 1.0);
            Run rest = Runs.run(after, after.resume(saved), 1);
            assertThat(rest.steps()).hasSize(1);
            assertThat(rest.delivered())
                    .extracting(SampleRef::source)
                    .containsOnly(1, 2)
                    .hasSize(4);
            assertThat(rest.delivered()).doesNotContainAnyElementsOf(first.delivered());
        }
    }

    private static Membership weighted(Exhaustion exhaustion, Double... weights) {
        return new Membership(
                11,
                Runs.mixture(Unit.SAMPLES, exhaustion, weights),
                Runs.ENDLESS,
                Runs.samples(4),
                GivenCatalog.random(11, 100, 10, 10, 6));
    }

    @Test
    void stateRefusesNonsense() {
        assertThatThrownBy(() -> new MembershipState(-1, List.of(), List.of(), List.of()))
                .hasMessageContaining("step -1");
        assertThatThrownBy(() -> new MembershipState(0, List.of(-3L), List.of(0L), List.of()))
                .hasMessageContaining("position -3");
        assertThatThrownBy(() -> new MembershipState(7, List.of(1L), List.of(5L), List.of()))
                .hasMessageContaining("step 7 whose credits do not add up to 0: [5]");
        assertThatThrownBy(
                        () ->
                                new Checkpoint(
                                        1,
                                        1,
                                        Runs.ENDLESS,
                                        List.of(),
                                        Unit.SAMPLES,
                                        new MembershipState(
                                                0, List.of(1L), List.of(0L), List.of())))
                .hasMessageContaining("sizes of 0 sources and positions of 1");
    }
}
