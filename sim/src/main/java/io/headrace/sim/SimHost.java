package io.headrace.sim;

/**
 * The hosts that are simulated; all are alike.
 *
 * @param cores of a host
 * @param ranks of a host
 * @param readyAheadSteps steps made ready beyond the one that a rank reads
 * @param splits whether samples of several pieces may be split
 */
public record SimHost(SimPolicy policy, int cores, int ranks, int readyAheadSteps, boolean splits) {
    public SimHost {
        if (cores < 1 || ranks < 1 || readyAheadSteps < 0) {
            throw new IllegalArgumentException(
                    "%d cores, %d ranks, %d steps ahead".formatted(cores, ranks, readyAheadSteps));
        }
    }
}
