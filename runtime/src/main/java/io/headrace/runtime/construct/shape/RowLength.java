package io.headrace.runtime.construct.shape;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;

/** Length of the rows of a microbatch: that of the packs, the model's fixed text length, or that of the longest sample. */
public sealed interface RowLength {

    /** Length in tokens, where the longest sample of the microbatch has {@code longestTokens}. */
    int tokens(int longestTokens);

    /** Every row has the same length. */
    record Fixed(int lengthTokens) implements RowLength {
        @Override
        public int tokens(int longestTokens) {
            return lengthTokens;
        }
    }

    /** Rows are as long as the longest sample, and at least one. */
    record Longest() implements RowLength {
        @Override
        public int tokens(int longestTokens) {
            return Math.max(1, longestTokens);
        }
    }

    /** The rule of a recipe. */
    static RowLength of(ProcessSpec process, BatchSpec batch) {
        return switch (batch) {
            case BatchSpec.Packs packs -> new Fixed(packs.lengthTokens());
            case BatchSpec.Samples _ ->
                    switch (ModelForm.of(process.model())) {
                        case FIXED, NAFLEX, FRAMES, BUCKETS, SPECTRUM ->
                                new Fixed(process.text().maxTokens());
                        case GRID, TILES, ANYRES, SOUND, TEXT -> new Longest();
                    };
        };
    }
}
