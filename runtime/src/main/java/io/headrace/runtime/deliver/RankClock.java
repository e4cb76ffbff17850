package io.headrace.runtime.deliver;

import java.util.OptionalLong;

/** What the server saw of one rank. Guarded by itself. */
final class RankClock {
    /** A request that is answered faster did not wait: its step was ready. */
    static final long WAIT_THRESHOLD_NANOS = 1_000_000;

    private long delivered = -1;
    private long requests;
    private long waits;
    private long waitNanos;
    private long computeNanos;

    synchronized void answered(long step, long nanos) {
        delivered = step;
        requests++;
        if (nanos > WAIT_THRESHOLD_NANOS) {
            waits++;
            waitNanos += nanos;
        }
    }

    synchronized void computed(OptionalLong nanos) {
        computeNanos = nanos.orElse(computeNanos);
    }

    synchronized View view(int rank, int readyAhead) {
        return new View(rank, delivered, readyAhead, requests, waits, waitNanos, computeNanos);
    }

    /**
     * A rank's figures.
     *
     * @param delivered last step handed out; -1 if none
     * @param waits requests whose step was not ready
     * @param waitNanos sum of these waits
     * @param computeNanos the last compute window that the rank told; 0 if none
     */
    record View(
            int rank,
            long delivered,
            int readyAhead,
            long requests,
            long waits,
            long waitNanos,
            long computeNanos) {}
}
