package io.headrace.engine.plan;

import io.headrace.engine.cost.CostModel;
import io.headrace.engine.recipe.PlanSpec;
import java.util.List;

/**
 * Predicted cost of a planned step, for reports.
 *
 * @param microbatches cost of each microbatch of each rank, in the recipe's own unit
 */
public record StepCost(List<List<Double>> microbatches) {
    public StepCost {
        microbatches = microbatches.stream().map(List::copyOf).toList();
    }

    /** Cost of a plan as the recipe counts and balances it. */
    public static StepCost of(StepPlan plan, PlanSpec spec) {
        CostModel cost = new CostModel(spec);
        return new StepCost(
                plan.ranks().stream()
                        .map(
                                rank ->
                                        rank.microbatches().stream()
                                                .map(microbatch -> of(microbatch, cost))
                                                .toList())
                        .toList());
    }

    private static double of(StepPlan.Microbatch microbatch, CostModel cost) {
        return microbatch.placements().stream()
                .mapToDouble(placement -> cost.balanced(placement.features()))
                .sum();
    }

    /** Cost of each rank. */
    public List<Double> ranks() {
        return microbatches.stream()
                .map(rank -> rank.stream().mapToDouble(Double::doubleValue).sum())
                .toList();
    }

    /** The heaviest rank over the mean of all; 1 where nothing costs anything. */
    public double imbalance() {
        return maxOverMean(ranks());
    }

    /** The heaviest microbatch of any rank over the mean of all. */
    public double microbatchImbalance() {
        return maxOverMean(microbatches.stream().flatMap(List::stream).toList());
    }

    private static double maxOverMean(List<Double> loads) {
        double sum = loads.stream().mapToDouble(Double::doubleValue).sum();
        double max = loads.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return sum > 0 ? max * loads.size() / sum : 1;
    }
}
