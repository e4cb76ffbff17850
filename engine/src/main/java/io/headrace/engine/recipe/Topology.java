package io.headrace.engine.recipe;

/** The trainer's mesh: data, tensor, context and pipeline parallel sizes. */
public record Topology(int dp, int tp, int cp, int pp) {
    public Topology {
        if (dp < 1 || tp < 1 || cp < 1 || pp < 1) {
            throw new IllegalArgumentException("A side of the mesh below 1");
        }
    }
}
