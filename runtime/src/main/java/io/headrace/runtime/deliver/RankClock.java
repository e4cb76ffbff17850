package io.headrace.runtime.deliver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the server saw of one rank. Guarded by itself. */
final class RankClock {
    /** A request that is answered faster did not wait: its step was ready. */
    static final long WAIT_THRESHOLD_NANOS = 1_000_000;

    /** Steps whose wait and compute window are kept. */
    static final int STEPS = 256;

    private final long[] steps = new long[STEPS];
    private final long[] askedOfSteps = new long[STEPS];
    private final long[] waitsOfSteps = new long[STEPS];
    private final long[] computesOfSteps = new long[STEPS];
    private long delivered = -1;
    private long requests;
    private long waits;
    private long waitNanos;
    private long computeNanos;

    RankClock() {
        Arrays.fill(steps, -1);
    }

    synchronized long delivered() {
        return delivered;
    }

    /** A step was handed out: asked for at a time of the clock, so long before now. */
    synchronized void answered(long step, long askedNanos, long nanos) {
        delivered = step;
        requests++;
        int at = (int) (step % STEPS);
        steps[at] = step;
        askedOfSteps[at] = askedNanos;
        waitsOfSteps[at] = nanos;
        computesOfSteps[at] = 0;
        if (nanos > WAIT_THRESHOLD_NANOS) {
            waits++;
            waitNanos += nanos;
        }
    }

    synchronized void computed(long step, OptionalLong nanos) {
        computeNanos = nanos.orElse(computeNanos);
        int at = (int) (step % STEPS);
        if (steps[at] == step) {
            computesOfSteps[at] = nanos.orElse(0);
        }
    }

    /** What a step cost the rank; empty if it is not one of the last {@link #STEPS}. */
    synchronized Optional<OfStep> ofStep(int rank, long step) {
        int at = (int) (step % STEPS);
        return steps[at] == step ? Optional.of(at(rank, at)) : Optional.empty();
    }

    /** The steps from one on that are still known, in order. */
    synchronized List<OfStep> since(int rank, long first) {
        List<OfStep> found = new ArrayList<>();
        for (int at = 0; at < STEPS; at++) {
            if (steps[at] >= Math.max(0, first)) {
                found.add(at(rank, at));
            }
        }
        found.sort(Comparator.comparingLong(OfStep::step));
        return found;
    }

    private OfStep at(int rank, int at) {
        return new OfStep(rank, steps[at], askedOfSteps[at], waitsOfSteps[at], computesOfSteps[at]);
    }

    /**
     * A rank's figures of one step.
     *
     * @param askedNanos when the rank asked, by {@link System#nanoTime}
     * @param waitNanos time from its request to the answer
     * @param computeNanos the compute window that it told; 0 if none
     */
    record OfStep(int rank, long step, long askedNanos, long waitNanos, long computeNanos) {}

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
