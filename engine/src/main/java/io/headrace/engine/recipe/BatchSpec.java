package io.headrace.engine.recipe;

/** What makes a step. Counts are of the global batch, over all ranks and microbatches. */
public sealed interface BatchSpec {

    /** Microbatches of each rank. */
    int microbatches();

    /** A fixed number of samples, one a row. */
    record Samples(int samples, int microbatches) implements BatchSpec {}

    /** A fixed number of packs of a length in tokens, several samples a row. */
    record Packs(int packs, int lengthTokens, int microbatches) implements BatchSpec {}
}
