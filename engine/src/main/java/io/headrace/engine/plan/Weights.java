package io.headrace.engine.plan;

import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import java.util.List;

/**
 * The mixing weights of each step as integers whose sum is exactly {@link #WHOLE}, so that credits never drift. A linear ramp starts
 * with the weights of the stage before at its first step and reaches those of its own stage at its own first step.
 */
final class Weights {

    /** The sum of the weights: the unit of one sample or token in credits. */
    static final long WHOLE = 1L << 30;

    private static final long MAX_STEP = 1L << 32;

    private final List<Stage> stages;
    private final long[][] units;

    Weights(MixtureSpec spec, int sources) {
        stages = spec.stages();
        if (stages.isEmpty() || stages.getFirst().fromStep() != 0) {
            throw new IllegalArgumentException("The first stage of a mixture starts at step 0");
        }
        units = new long[stages.size()][];
        for (int s = 0; s < units.length; s++) {
            check(s, sources);
            units[s] = inUnits(stages.get(s).weights());
        }
    }

    private void check(int s, int sources) {
        Stage stage = stages.get(s);
        if (stage.weights().size() != sources) {
            throw new IllegalArgumentException(
                    "Stage from step %d has %d weights for %d sources"
                            .formatted(stage.fromStep(), stage.weights().size(), sources));
        }
        long before = s == 0 ? -1 : stages.get(s - 1).fromStep();
        if (stage.fromStep() <= before || stage.fromStep() > MAX_STEP) {
            throw new IllegalArgumentException(
                    "Stage from step %d is not behind the stage before it and at most %d"
                            .formatted(stage.fromStep(), MAX_STEP));
        }
        for (double weight : stage.weights()) {
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException(
                        "Weight %s in the stage from step %d".formatted(weight, stage.fromStep()));
            }
        }
    }

    /** Whether a source has a weight above 0 in any stage. Others are never opened. */
    boolean everUsed(int source) {
        for (long[] stage : units) {
            if (stage[source] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Weights of a step over the open sources; all 0 if none of these has a weight. */
    long[] at(long step, boolean[] open) {
        int s = stage(step);
        long[] weights = new long[open.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = open[i] ? ramped(s, step, i) : 0;
        }
        return normalised(weights);
    }

    /** The first step behind {@code step} whose weights may differ from its own; {@link Long#MAX_VALUE} if there is none. */
    long constantUntil(long step) {
        int next = stage(step) + 1;
        if (next == units.length) {
            return Long.MAX_VALUE;
        }
        return stages.get(next).ramp() == Ramp.LINEAR ? step + 1 : stages.get(next).fromStep();
    }

    private int stage(long step) {
        int s = units.length - 1;
        while (stages.get(s).fromStep() > step) {
            s--;
        }
        return s;
    }

    private long ramped(int s, long step, int source) {
        long before = units[s][source];
        if (s + 1 == units.length || stages.get(s + 1).ramp() == Ramp.STEP) {
            return before;
        }
        long from = stages.get(s).fromStep();
        long span = stages.get(s + 1).fromStep() - from;
        return before + Math.floorDiv((units[s + 1][source] - before) * (step - from), span);
    }

    private static long[] inUnits(List<Double> weights) {
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        long[] result = new long[weights.size()];
        for (int i = 0; i < result.length; i++) {
            double weight = weights.get(i);
            result[i] = weight == 0 ? 0 : Math.max(1, (long) (weight / sum * WHOLE));
        }
        return normalised(result);
    }

    /** Scaled to the whole, each weight above 0 kept so; what rounding leaves goes to the first of the heaviest. */
    private static long[] normalised(long[] weights) {
        long sum = 0;
        for (long weight : weights) {
            sum += weight;
        }
        if (sum == WHOLE || sum == 0) {
            return weights;
        }
        long rest = WHOLE;
        int heaviest = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weights[i] == 0 ? 0 : Math.max(1, weights[i] * WHOLE / sum);
            rest -= weights[i];
            heaviest = weights[i] > weights[heaviest] ? i : heaviest;
        }
        weights[heaviest] += rest;
        return weights;
    }
}
