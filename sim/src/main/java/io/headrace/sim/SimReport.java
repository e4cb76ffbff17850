package io.headrace.sim;

import java.util.List;

/**
 * What a simulated run came to.
 *
 * @param waitNanos for each step the input wait of each rank: the time from its request until its step was ready
 * @param durationNanos from the first request to the end of the last compute window
 * @param decodedSamples samples that were decoded
 */
public record SimReport(List<List<Long>> waitNanos, long durationNanos, long decodedSamples) {
    public SimReport {
        waitNanos = waitNanos.stream().map(List::copyOf).toList();
    }

    /** Sum over steps of the longest wait of any rank: what synchronous training loses. */
    public long stallNanos() {
        return waitNanos.stream()
                .mapToLong(step -> step.stream().mapToLong(Long::longValue).max().orElse(0))
                .sum();
    }

    /** Share of (rank, step) pairs whose wait is above a limit. */
    public double missRate(long limitNanos) {
        long all = waitNanos.stream().mapToLong(List::size).sum();
        long missed =
                waitNanos.stream().flatMap(List::stream).filter(wait -> wait > limitNanos).count();
        return all == 0 ? 0 : (double) missed / all;
    }
}
