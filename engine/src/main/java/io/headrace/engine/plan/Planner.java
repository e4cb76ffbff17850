package io.headrace.engine.plan;

import io.headrace.engine.cost.CostModel;
import io.headrace.engine.plan.Members.Member;
import io.headrace.engine.plan.Members.Row;
import io.headrace.engine.plan.StepPlan.Microbatch;
import io.headrace.engine.plan.StepPlan.Rank;
import io.headrace.engine.plan.balance.Balancer;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives every row of a step its rank, microbatch and place: first the ranks are balanced, then the microbatches within each. Every
 * rank has as many microbatches, and every microbatch as many rows. Pure; any thread may call.
 */
public final class Planner {

    /** Costs are balanced as integers that add up to about this, so that sums are exact. */
    private static final double COST_UNITS = 1L << 52;

    private final CostModel cost;
    private final int microbatches;

    /**
     * @param microbatches of each rank
     */
    public Planner(PlanSpec spec, int microbatches) {
        this.cost = new CostModel(spec);
        this.microbatches = microbatches;
    }

    /** The planner of a recipe. */
    public static Planner of(Recipe recipe) {
        return new Planner(recipe.plan(), recipe.batch().microbatches());
    }

    /**
     * The plan of a step, checked to hold each member exactly once.
     *
     * @throws IllegalArgumentException if the rows do not divide by ranks x microbatches
     */
    public StepPlan plan(Members members, Topology topology) {
        int rows = members.rows().size();
        if (rows % (topology.dp() * microbatches) != 0) {
            throw new IllegalArgumentException(
                    "Step %d has %d rows, which do not divide by %d ranks x %d microbatches"
                            .formatted(members.step(), rows, topology.dp(), microbatches));
        }
        long[] costs = costs(members.rows());
        int[] all = new int[rows];
        Arrays.setAll(all, row -> row);
        List<Rank> ranks = new ArrayList<>();
        for (int[] rankRows : split(all, costs, topology.dp())) {
            ranks.add(rank(ranks.size(), members, split(rankRows, costs, microbatches)));
        }
        StepPlan plan = new StepPlan(members.step(), ranks);
        ExactCover.check(members, plan);
        return plan;
    }

    /** Balanced parts of some rows, each in the order of the step. */
    private int[][] split(int[] rows, long[] costs, int parts) {
        long[] own = new long[rows.length];
        Arrays.setAll(own, i -> costs[rows[i]]);
        int[] partOf = Balancer.assign(cost.spec().method(), own, parts);
        int[][] split = new int[parts][rows.length / parts];
        int[] filled = new int[parts];
        for (int i = 0; i < rows.length; i++) {
            split[partOf[i]][filled[partOf[i]]++] = rows[i];
        }
        return split;
    }

    private long[] costs(List<Row> rows) {
        double[] balanced = new double[rows.size()];
        double sum = 0;
        for (int row = 0; row < balanced.length; row++) {
            for (Member member : rows.get(row).members()) {
                balanced[row] += cost.balanced(member.features());
            }
            sum += balanced[row];
        }
        double scale = sum > 0 ? COST_UNITS / sum : 0;
        long[] units = new long[balanced.length];
        Arrays.setAll(units, row -> Math.round(balanced[row] * scale));
        return units;
    }

    private static Rank rank(int number, Members members, int[][] microbatches) {
        List<Microbatch> filled = new ArrayList<>();
        for (int[] rows : microbatches) {
            filled.add(microbatch(members, rows));
        }
        return new Rank(number, filled);
    }

    private static Microbatch microbatch(Members members, int[] rows) {
        List<Placement> placements = new ArrayList<>();
        for (int row = 0; row < rows.length; row++) {
            int offsetTokens = 0;
            for (Member member : members.rows().get(rows[row]).members()) {
                placements.add(
                        new Placement(
                                member.sample(),
                                member.features(),
                                row,
                                offsetTokens,
                                member.filler()));
                offsetTokens += member.features().tokens();
            }
        }
        return new Microbatch(rows.length, placements);
    }
}
