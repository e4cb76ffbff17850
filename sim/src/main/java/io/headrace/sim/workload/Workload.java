package io.headrace.sim.workload;

import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.recipe.BatchSpec;
import java.util.function.BiFunction;

/**
 * A workload: what its samples are like, what makes a step, and what a rank computes.
 *
 * @param samples a sample by seed and index
 * @param batch the global batch for {@link #RANKS} ranks
 * @param tokenSquares cost of a token pair of a sample, in tokens
 * @param patchCost cost of a patch, in tokens
 */
public record Workload(
        String id,
        BiFunction<Long, Long, SimSample> samples,
        BatchSpec batch,
        double tokenSquares,
        double patchCost) {

    /** Ranks that the batch is made for. */
    public static final int RANKS = 8;

    /** Share of a step that takes as long whatever the batch: optimizer and communication, in tokens of a rank. */
    private static final double FIXED_TOKENS = 500;

    public SimSample sample(long seed, long index) {
        return samples.apply(seed, index);
    }

    /** What a rank computes for its part of a step, in tokens. */
    public double compute(RankWork work) {
        return FIXED_TOKENS
                + work.tokens()
                + tokenSquares * work.tokensSquared()
                + patchCost * work.patches();
    }
}
