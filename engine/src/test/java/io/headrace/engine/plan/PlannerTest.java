package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.engine.cost.CostModel;
import io.headrace.engine.cost.Features;
import io.headrace.engine.plan.Members.Row;
import io.headrace.engine.plan.StepPlan.Microbatch;
import io.headrace.engine.plan.StepPlan.Rank;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Last;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.PlanSpec.Cost;
import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.engine.recipe.PlanSpec.Over;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {

    private static final Topology FOUR_RANKS = new Topology(4, 1, 1, 1);

    private static PlanSpec backbone(Method method, double linear, double quadratic) {
        return new PlanSpec(new Cost(1, 0), new Cost(linear, quadratic), method, Over.BACKBONE);
    }

    /** 4096 x 1, 512 x 8 and 64 x 64: three kinds of samples of 4096 tokens in all. */
    private static Members fewLongAndManyShort(BatchSpec batch) {
        int[] tokens =
                Stream.of(new int[] {4096, 1}, new int[] {512, 8}, new int[] {64, 64})
                        .flatMapToInt(kind -> Arrays.stream(new int[kind[1]]).map(i -> kind[0]))
                        .toArray();
        Membership membership =
                new Membership(
                        7,
                        Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, 1.0),
                        Runs.order(1, Last.PAD),
                        batch,
                        GivenCatalog.of(tokens));
        Runs.Run run = Runs.run(membership, 10);
        assertThat(Runs.run(membership, 10)).isEqualTo(run);
        assertThat(run.steps()).hasSize(1);
        assertThat(run.delivered()).hasSize(73);
        return run.steps().getFirst();
    }

    private static double maxOverMean(Members members, PlanSpec spec) {
        StepPlan plan = new Planner(spec, 1).plan(members, FOUR_RANKS);
        assertThat(new Planner(spec, 1).plan(members, FOUR_RANKS)).isEqualTo(plan);
        return StepCost.of(plan, spec).imbalance();
    }

    /** In packs the longest sample alone is the bound: 4096 of a mean of 3072, and its square. */
    @ParameterizedTest
    @ValueSource(strings = {"GREEDY", "KARMARKAR_KARP"})
    void fewLongAndManyShortInPacksAreAsEvenAsCanBe(Method method) {
        Members members = fewLongAndManyShort(Runs.packs(4, 4096));
        double byLength = maxOverMean(members, backbone(method, 1, 0));
        double bySquare = maxOverMean(members, backbone(method, 0, 1));
        System.out.printf("packs: max/mean of L %.3f, of L^2 %.3f%n", byLength, bySquare);
        assertThat(byLength).isCloseTo(4096 / 3072.0, within(1e-12));
        double squares = 4096.0 * 4096 + 8 * 512 * 512 + 64 * 64 * 64;
        assertThat(bySquare).isCloseTo(4096.0 * 4096 * 4 / squares, within(1e-12));
    }

    /** With equal counts of 19 the bound is the longest sample and 18 of the shortest; three are fillers of 64. */
    @ParameterizedTest
    @ValueSource(strings = {"GREEDY", "KARMARKAR_KARP"})
    void fewLongAndManyShortInRowsAreAsEvenAsCanBe(Method method) {
        Members members = fewLongAndManyShort(Runs.samples(76));
        double byLength = maxOverMean(members, backbone(method, 1, 0));
        double bySquare = maxOverMean(members, backbone(method, 0, 1));
        System.out.printf("rows: max/mean of L %.3f, of L^2 %.3f%n", byLength, bySquare);
        assertThat(byLength).isCloseTo((4096 + 18 * 64) * 4 / (3 * 4096.0 + 192), within(1e-12));
        double squares = 4096.0 * 4096 + 8 * 512 * 512 + 67 * 64 * 64;
        assertThat(bySquare).isCloseTo((4096.0 * 4096 + 18 * 64 * 64) * 4 / squares, within(1e-12));
    }

    @Test
    void microbatchesOfARankAreBalancedToo() {
        Members members = row(100, 100, 100, 100, 2, 2, 2, 2);
        PlanSpec spec = backbone(Method.KARMARKAR_KARP, 1, 0);
        StepCost cost =
                StepCost.of(new Planner(spec, 2).plan(members, new Topology(2, 8, 1, 1)), spec);
        assertThat(cost.ranks()).containsExactly(204.0, 204.0);
        assertThat(cost.microbatches().stream().flatMap(List::stream))
                .allMatch(load -> load == 102);
        assertThat(cost.imbalance()).isEqualTo(1.0);
        assertThat(cost.microbatchImbalance()).isEqualTo(1.0);
        PlanSpec inTurn = backbone(Method.ROUND_ROBIN, 1, 0);
        StepCost dealt =
                StepCost.of(new Planner(inTurn, 2).plan(members, new Topology(2, 1, 1, 1)), inTurn);
        assertThat(dealt.microbatchImbalance()).isEqualTo(1.0);
    }

    @Test
    void overSaysWhichModuleCounts() {
        Features features = new Features(10, 40, 0, 0);
        PlanSpec.Cost encoder = new Cost(1, 0.5);
        PlanSpec.Cost backbone = new Cost(2, 0.1);
        assertThat(balanced(encoder, backbone, Over.ENCODER, features)).isEqualTo(40 + 800);
        assertThat(balanced(encoder, backbone, Over.BACKBONE, features)).isEqualTo(20 + 10);
        assertThat(balanced(encoder, backbone, Over.HYBRID, features)).isEqualTo(870);
    }

    private static double balanced(Cost encoder, Cost backbone, Over over, Features features) {
        return new CostModel(new PlanSpec(encoder, backbone, Method.GREEDY, over))
                .balanced(features);
    }

    @Test
    void freeSamplesAreDealtOutInTurn() {
        StepPlan plan =
                new Planner(backbone(Method.ROUND_ROBIN, 0, 0), 1)
                        .plan(row(5, 6, 7, 8), new Topology(2, 1, 1, 1));
        assertThat(plan.ranks().get(1).microbatches().getFirst().placements())
                .extracting(placement -> placement.features().tokens())
                .containsExactly(6, 8);
        assertThat(StepCost.of(plan, backbone(Method.GREEDY, 0, 0)).imbalance()).isEqualTo(1);
    }

    @Test
    void rowsThatDoNotDivideAreRefused() {
        Planner planner = new Planner(backbone(Method.GREEDY, 1, 0), 2);
        assertThatThrownBy(() -> planner.plan(row(1, 2, 3, 4, 5, 6), FOUR_RANKS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Step 0 has 6 rows, which do not divide by 4 ranks x 2 microbatches");
    }

    private static Members row(int... tokens) {
        Membership membership =
                new Membership(
                        7,
                        Runs.mixture(Unit.SAMPLES, Exhaustion.STOP_ALL, 1.0),
                        new OrderSpec(OrderSpec.Kind.SEQUENTIAL, 1, 1, 1, Last.DROP),
                        Runs.samples(tokens.length),
                        GivenCatalog.of(tokens));
        return Runs.run(membership, 1).steps().getFirst();
    }

    /** A plan with its first placement changed. */
    private static StepPlan broken(StepPlan plan, boolean doubled) {
        List<Rank> ranks = new ArrayList<>(plan.ranks());
        Microbatch first = ranks.getFirst().microbatches().getFirst();
        List<Placement> placements = new ArrayList<>(first.placements());
        if (doubled) {
            placements.add(placements.getFirst());
        } else {
            placements.removeFirst();
        }
        ranks.set(0, new Rank(0, List.of(new Microbatch(first.rows(), placements))));
        return new StepPlan(plan.step(), ranks);
    }

    @Test
    void exactCoverNamesTheSampleAndItsPlaces() {
        Members members = row(1, 2, 3, 4);
        StepPlan plan =
                new Planner(backbone(Method.ROUND_ROBIN, 1, 0), 1).plan(members, FOUR_RANKS);
        assertThatThrownBy(() -> ExactCover.check(members, broken(plan, false)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Plan of step 0 holds member source 0 sample 0 0 times instead of 1; places: none");
        assertThatThrownBy(() -> ExactCover.check(members, broken(plan, true)))
                .hasMessage(
                        "Plan of step 0 holds member source 0 sample 0 2 times instead of 1; places:"
                                + " rank 0 microbatch 0 row 0 offset 0, rank 0 microbatch 0 row 0 offset 0");
        Members three = new Members(0, members.rows().subList(0, 3), List.of());
        assertThatThrownBy(() -> ExactCover.check(three, plan))
                .hasMessage(
                        "Plan of step 0 holds member source 0 sample 3 1 times instead of 0; places:"
                                + " rank 3 microbatch 0 row 0 offset 0");
        assertThatThrownBy(() -> ExactCover.check(new Members(1, members.rows(), List.of()), plan))
                .hasMessageContaining("Plan of step 0 for members of step 1");
    }

    @Test
    void aSampleMayBeInAStepAsOftenAsItIsAMember() {
        Row row = row(1).rows().getFirst();
        Members members = new Members(0, Collections.nCopies(4, row), List.of());
        StepPlan plan = new Planner(backbone(Method.GREEDY, 1, 0), 1).plan(members, FOUR_RANKS);
        assertThat(plan.ranks()).hasSize(4);
        assertThatThrownBy(() -> ExactCover.check(members, broken(plan, false)))
                .hasMessageContaining("3 times instead of 4");
    }

    @Test
    void aRowHasAtLeastOneSample() {
        assertThatThrownBy(() -> new Row(List.of())).hasMessageContaining("without a sample");
    }
}
