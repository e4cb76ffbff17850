package io.headrace.engine.cost;

import io.headrace.engine.recipe.PlanSpec;

/**
 * Predicted cost of a sample by the recipe's formulas, in the recipe's own unit. Attention runs within a sample even where several
 * share a pack, so the cost of a row is the sum of the costs of its samples.
 */
public record CostModel(PlanSpec spec) {

    public double encoder(Features features) {
        return spec.encoder().of(features.patches());
    }

    public double backbone(Features features) {
        return spec.backbone().of(features.tokens());
    }

    /** The cost that is balanced; hybrid is the sum of both modules, which run one after the other. */
    public double balanced(Features features) {
        return switch (spec.over()) {
            case ENCODER -> encoder(features);
            case BACKBONE -> backbone(features);
            case HYBRID -> encoder(features) + backbone(features);
        };
    }
}
