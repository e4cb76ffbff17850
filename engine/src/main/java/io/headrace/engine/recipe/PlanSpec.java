package io.headrace.engine.recipe;

/** How cost is counted and balanced over ranks and microbatches. */
public record PlanSpec(Cost encoder, Cost backbone, Method method, Over over) {

    /** Cost of one module: {@code linear * n + quadratic * n * n}, n being patches (encoder) or tokens (backbone). */
    public record Cost(double linear, double quadratic) {
        public double of(long n) {
            return linear * n + quadratic * n * n;
        }
    }

    public enum Method {
        ROUND_ROBIN,
        GREEDY,
        KARMARKAR_KARP
    }

    /** Which module's cost is balanced. */
    public enum Over {
        ENCODER,
        BACKBONE,
        HYBRID
    }
}
