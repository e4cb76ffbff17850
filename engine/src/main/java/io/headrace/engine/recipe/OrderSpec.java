package io.headrace.engine.recipe;

/**
 * Order within a source, and where it ends.
 *
 * @param epochs passes over each source; 0 means no end
 * @param last what becomes of a last batch that is short
 */
public record OrderSpec(Kind kind, int blockSamples, int windowBlocks, int epochs, Last last) {

    /** Seeded block shuffle, or the order of the index. */
    public enum Kind {
        SHUFFLE,
        SEQUENTIAL
    }

    /** A short last batch is dropped, or filled with masked samples. */
    public enum Last {
        DROP,
        PAD
    }
}
