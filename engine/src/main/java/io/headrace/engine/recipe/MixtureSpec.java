package io.headrace.engine.recipe;

import java.util.List;

/** How sources are mixed. Stages are sorted by their first step, the first from step 0. */
public record MixtureSpec(Unit unit, List<Stage> stages, Exhaustion exhaustion) {
    public MixtureSpec {
        stages = List.copyOf(stages);
    }

    /** Whether a stage gives the source a weight. One that has none is neither prepared nor opened. */
    public boolean uses(int source) {
        return stages.stream().anyMatch(stage -> stage.weights().get(source) > 0);
    }

    /** What the weights count. */
    public enum Unit {
        SAMPLES,
        TOKENS
    }

    /** What happens when a source has no unseen sample left. */
    public enum Exhaustion {
        /** It starts again, in another order. */
        REPEAT,
        /** The job ends with the first exhausted source. */
        STOP_FIRST,
        /** The others go on without it; the job ends with the last. */
        STOP_ALL
    }

    /** How weights move from the stage before to this one. */
    public enum Ramp {
        STEP,
        LINEAR
    }

    /**
     * Weights from a step on, one a source in the order of the recipe, not normalised; 0 means that the stage takes nothing
     * from the source.
     */
    public record Stage(long fromStep, List<Double> weights, Ramp ramp) {
        public Stage {
            weights = List.copyOf(weights);
        }
    }
}
