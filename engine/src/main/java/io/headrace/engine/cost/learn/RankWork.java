package io.headrace.engine.cost.learn;

import io.headrace.engine.cost.Features;

/**
 * What a rank computes in a step: sums over its samples. Attention runs within a sample, so squares are summed sample by sample. The
 * tokens of a diffusion model are its latents.
 */
public record RankWork(double tokens, double tokensSquared, double patches, double patchesSquared) {
    public static final RankWork NONE = new RankWork(0, 0, 0, 0);

    /** Number of features that cost is a function of. */
    static final int FEATURES = 5;

    /** With one more sample. */
    public RankWork plus(Features sample) {
        double t = sample.tokens();
        double p = sample.patches();
        return new RankWork(tokens + t, tokensSquared + t * t, patches + p, patchesSquared + p * p);
    }

    /** The features in the order of the coefficients: constant, tokens, tokens^2, patches, patches^2. */
    double[] vector() {
        return new double[] {1, tokens, tokensSquared, patches, patchesSquared};
    }
}
