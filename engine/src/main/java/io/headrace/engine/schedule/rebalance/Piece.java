package io.headrace.engine.schedule.rebalance;

/**
 * A sample that may change its rank.
 *
 * @param rank the rank that has it
 * @param sequence place among the samples of the rank
 * @param costNanos predicted compute time, by its true size
 * @param bytes to be sent if it moves
 */
public record Piece(int rank, int sequence, double costNanos, long bytes) {}
