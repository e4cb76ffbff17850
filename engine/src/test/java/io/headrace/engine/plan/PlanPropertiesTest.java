package io.headrace.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Members.Member;
import io.headrace.engine.plan.Runs.Run;
import io.headrace.engine.plan.StepPlan.Microbatch;
import io.headrace.engine.plan.StepPlan.Rank;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec.Last;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps sources x ranks x microbatches x packing x seeds over whole finite passes. */
class PlanPropertiesTest {

    private static final int ROWS = 24;
    private static final int LENGTH_TOKENS = 100;
    private static final int[][] MESHES = {{1, 1}, {2, 3}, {4, 1}, {3, 8}, {24, 1}};

    private static Membership membership(long seed, int sources, BatchSpec batch, Last last) {
        Random random = new Random(seed);
        int[] sizes = random.ints(sources, 0, 90).toArray();
        sizes[0] += 1;
        Double[] weights = random.doubles(sources, 0.1, 5).boxed().toArray(Double[]::new);
        Unit unit = random.nextBoolean() ? Unit.SAMPLES : Unit.TOKENS;
        return new Membership(
                seed,
                Runs.mixture(unit, Exhaustion.STOP_ALL, weights),
                Runs.order(1 + random.nextInt(2), last),
                batch,
                GivenCatalog.random(seed, LENGTH_TOKENS + 10, sizes));
    }

    private static PlanSpec spec(PlanSpec.Method method, PlanSpec.Over over) {
        return new PlanSpec(new PlanSpec.Cost(1, 1e-3), new PlanSpec.Cost(2, 1e-2), method, over);
    }

    private static Topology ranks(int dp) {
        return new Topology(dp, 1, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 13})
    void nothingIsDroppedNothingComesTwiceAtAnyWorldSize(int sources) {
        for (BatchSpec batch : List.of(Runs.samples(ROWS), Runs.packs(ROWS, LENGTH_TOKENS))) {
            for (long seed = 1; seed <= 6; seed++) {
                System.out.println("seed " + seed);
                Membership membership = membership(seed, sources, batch, Last.PAD);
                Run run = Runs.run(membership, 10_000);
                checkPass(membership, run);
                for (int[] mesh : MESHES) {
                    PlanSpec.Method method =
                            List.of(PlanSpec.Method.values()).get((int) (seed % 3));
                    PlanSpec.Over over = List.of(PlanSpec.Over.values()).get(mesh[0] % 3);
                    Planner planner = new Planner(spec(method, over), mesh[1]);
                    for (Members members : run.steps()) {
                        checkPlan(members, planner.plan(members, ranks(mesh[0])), mesh);
                    }
                }
            }
        }
    }

    /** Every sample of the pass is delivered as often as there are epochs, or is listed as too long. */
    private static void checkPass(Membership membership, Run run) {
        MembershipState end = run.states().getLast();
        List<SampleRef> seen = new ArrayList<>(run.delivered());
        seen.addAll(run.tooLong());
        List<Long> sizes = membership.checkpoint(end).sizes();
        long most = 0;
        for (int source = 0; source < sizes.size(); source++) {
            long size = sizes.get(source);
            most = Math.max(most, size);
            int of = source;
            long drawn = seen.stream().filter(sample -> sample.source() == of).count();
            long epochs = size == 0 ? 0 : drawn / size;
            assertThat(drawn).isEqualTo(epochs * size).isEqualTo(end.positions().get(source));
            assertThat(epochs).isEqualTo(size == 0 ? 0 : end.positions().get(0) / sizes.get(0));
            assertThat(new HashSet<>(seen).stream().filter(sample -> sample.source() == of))
                    .hasSize((int) size);
        }
        assertThat(run.ends().getFirst().dropped()).isEmpty();
        assertThat(most).isPositive();
    }

    private static void checkPlan(Members members, StepPlan plan, int[] mesh) {
        assertThat(plan.ranks()).hasSize(mesh[0]);
        List<String> places = new ArrayList<>();
        for (int r = 0; r < mesh[0]; r++) {
            Rank rank = plan.ranks().get(r);
            assertThat(rank.rank()).isEqualTo(r);
            assertThat(rank.microbatches()).hasSize(mesh[1]);
            for (Microbatch microbatch : rank.microbatches()) {
                assertThat(microbatch.rows()).isEqualTo(ROWS / mesh[0] / mesh[1]);
                checkRows(microbatch);
                microbatch.placements().forEach(p -> places.add(p.sample() + " " + p.filler()));
            }
        }
        List<String> wanted = new ArrayList<>();
        for (Member member : members.all()) {
            wanted.add(member.sample() + " " + member.filler());
        }
        assertThat(places).containsExactlyInAnyOrderElementsOf(wanted);
    }

    private static void checkRows(Microbatch microbatch) {
        int row = -1;
        int endTokens = 0;
        Set<Integer> rows = new HashSet<>();
        for (Placement placement : microbatch.placements()) {
            assertThat(placement.row()).isIn(row, row + 1);
            assertThat(placement.offsetTokens()).isEqualTo(placement.row() == row ? endTokens : 0);
            row = placement.row();
            endTokens = placement.offsetTokens() + placement.features().tokens();
            assertThat(endTokens).isLessThanOrEqualTo(LENGTH_TOKENS + 10);
            rows.add(row);
        }
        assertThat(rows).hasSize(microbatch.rows());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void resumedAnywhereTheRestIsTheSame(int sources) {
        for (BatchSpec batch : List.of(Runs.samples(8), Runs.packs(8, LENGTH_TOKENS))) {
            for (Last last : Last.values()) {
                for (long seed = 20; seed < 24; seed++) {
                    System.out.println("seed " + seed);
                    Membership membership = membership(seed, sources, batch, last);
                    Run whole = Runs.run(membership, 10_000);
                    for (int step = 0; step <= whole.steps().size(); step++) {
                        Checkpoint saved = membership.checkpoint(whole.states().get(step));
                        Membership again = membership(seed, sources, batch, last);
                        Run rest = Runs.run(again, again.resume(saved), 10_000);
                        int from = step;
                        assertThat(rest.steps())
                                .isEqualTo(whole.steps().subList(from, whole.steps().size()));
                        assertThat(rest.ends()).isEqualTo(whole.ends());
                        assertThat(again.at(step)).isEqualTo(saved.state());
                    }
                }
            }
        }
    }

    /** The heaviest rank is never heavier than where rows are dealt out in turn. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void balanceIsNeverWorseThanRoundRobin(int microbatches) {
        for (long seed = 40; seed < 60; seed++) {
            System.out.println("seed " + seed);
            Membership membership = membership(seed, 4, Runs.packs(ROWS, LENGTH_TOKENS), Last.DROP);
            for (Members members : Runs.run(membership, 5).steps()) {
                for (int dp : new int[] {2, 3, 6}) {
                    for (PlanSpec.Over over : PlanSpec.Over.values()) {
                        double[] heaviest =
                                Arrays.stream(PlanSpec.Method.values())
                                        .mapToDouble(
                                                method ->
                                                        imbalance(
                                                                members,
                                                                spec(method, over),
                                                                microbatches,
                                                                dp))
                                        .toArray();
                        assertThat(heaviest[1]).isLessThanOrEqualTo(heaviest[0] + 1e-9);
                        assertThat(heaviest[2]).isLessThanOrEqualTo(heaviest[0] + 1e-9);
                    }
                }
            }
        }
    }

    private static double imbalance(Members members, PlanSpec spec, int microbatches, int dp) {
        StepPlan plan = new Planner(spec, microbatches).plan(members, ranks(dp));
        return StepCost.of(plan, spec).imbalance();
    }
}
