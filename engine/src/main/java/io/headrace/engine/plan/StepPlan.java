package io.headrace.engine.plan;

import java.util.List;

/** One optimizer step: every sample of the global batch in exactly one place. */
public record StepPlan(long step, List<Rank> ranks) {
    public StepPlan {
        ranks = List.copyOf(ranks);
    }

    /** What one data-parallel rank gets, microbatch by microbatch. Every rank has the same number of them. */
    public record Rank(int rank, List<Microbatch> microbatches) {
        public Rank {
            microbatches = List.copyOf(microbatches);
        }
    }

    /**
     * A slice of a rank's batch. {@code rows} is the number of rows or packs; placements are sorted by row, then offset.
     */
    public record Microbatch(int rows, List<Placement> placements) {
        public Microbatch {
            placements = List.copyOf(placements);
        }
    }
}
