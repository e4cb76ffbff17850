package io.headrace.engine.schedule.rebalance;

import java.util.List;

/**
 * A way to rebalance a step that was considered.
 *
 * @param exchanges made one after the other
 * @param gainNanos by how much the slowest rank becomes faster
 * @param costNanos time that the transfers take
 */
public record Candidate(List<Exchange> exchanges, double gainNanos, double costNanos) {
    public Candidate {
        exchanges = List.copyOf(exchanges);
    }

    public double netNanos() {
        return gainNanos - costNanos;
    }

    public long bytes() {
        return exchanges.stream().mapToLong(Exchange::bytes).sum();
    }
}
