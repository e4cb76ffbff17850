package io.headrace.sim;

/**
 * The host that is simulated.
 *
 * @param workers decode workers, each as fast as one core
 * @param lanes 1: every worker serves every rank; else worker {@code w} serves the ranks that equal {@code w} modulo the lanes
 * @param readyAheadSteps steps made ready beyond the one that a rank reads
 */
public record SimHost(int workers, int lanes, int readyAheadSteps) {
    public SimHost {
        if (workers < 1 || lanes < 1 || workers % lanes != 0 || readyAheadSteps < 0) {
            throw new IllegalArgumentException(
                    "%d workers in %d lanes, %d steps ahead"
                            .formatted(workers, lanes, readyAheadSteps));
        }
    }
}
