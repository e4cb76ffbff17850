package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.PlanSpec.Cost;
import io.headrace.engine.recipe.PlanSpec.Method;
import io.headrace.engine.recipe.PlanSpec.Over;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Problems;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Type.Choice;
import io.headrace.engine.recipe.schema.Value.Fields;
import java.util.List;

/** The section {@code plan}. */
final class PlanKeys {
    static final Type.Section TYPE =
            Type.Section.of(
                    Key.section(
                            "cost",
                            Type.Section.of(
                                    Key.section(
                                            "encoder",
                                            Type.Section.of(
                                                    factor("patches", "1", "Cost of one patch."),
                                                    factor(
                                                            "patches^2",
                                                            "2e-5",
                                                            "Cost of a pair of patches of a"
                                                                    + " sample.")),
                                            "Cost of a sample in the vision encoder."),
                                    Key.section(
                                            "backbone",
                                            Type.Section.of(
                                                    factor("tokens", "1", "Cost of one token."),
                                                    factor(
                                                            "tokens^2",
                                                            "1e-5",
                                                            "Cost of a pair of tokens of a"
                                                                    + " sample.")),
                                            "Cost of a sample in the language model or text"
                                                    + " tower.")),
                            "What a sample costs a rank: a * n + b * n * n. Only ratios matter."),
                    Key.section(
                            "balance",
                            new Type.Section(
                                    "method",
                                    List.of(
                                            Key.fixed(
                                                    "method",
                                                    Choice.of(
                                                            Method.class,
                                                            "samples in turn, no balance",
                                                            "the costliest sample first, to the rank"
                                                                    + " with the least",
                                                            "differencing, the most even"),
                                                    "karmarkar_karp",
                                                    "How samples are spread over ranks and"
                                                            + " microbatches."),
                                            Key.fixed(
                                                    "over",
                                                    Choice.of(
                                                            Over.class,
                                                            "the vision encoder's cost",
                                                            "the backbone's cost",
                                                            "the sum of both"),
                                                    "hybrid",
                                                    "Which cost is balanced."))),
                            "How a step is balanced."),
                    Key.absent("broadcast", "tp above 1 is not in this version"));

    private PlanKeys() {}

    private static Key factor(String name, String value, String doc) {
        return Key.fixed(name, new Type.Real(0), value, doc);
    }

    static PlanSpec resolve(Fields plan, Problems problems) {
        Fields balance = plan.fields("balance");
        Cost encoder = cost(plan.fields("cost").fields("encoder"), "patches");
        Cost backbone = cost(plan.fields("cost").fields("backbone"), "tokens");
        Over over = balance.choice("over", Over.class);
        boolean nothing =
                switch (over) {
                    case ENCODER -> free(encoder);
                    case BACKBONE -> free(backbone);
                    case HYBRID -> free(encoder) && free(backbone);
                };
        if (nothing && plan.sound()) {
            Fields cost = plan.fields("cost");
            problems.error(
                    cost.place(),
                    cost.path(),
                    "every cost that '" + Type.word(over) + "' balances is 0");
        }
        return new PlanSpec(encoder, backbone, balance.choice("method", Method.class), over);
    }

    private static Cost cost(Fields cost, String feature) {
        return new Cost(cost.real(feature), cost.real(feature + "^2"));
    }

    private static boolean free(Cost cost) {
        return cost.linear() == 0 && cost.quadratic() == 0;
    }
}
