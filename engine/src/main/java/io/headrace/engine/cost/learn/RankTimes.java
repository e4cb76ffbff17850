package io.headrace.engine.cost.learn;

/**
 * How long a rank took for a step.
 *
 * @param work what it got
 * @param startNanos when it had its batch
 * @param endNanos when it asked for the next one: in synchronous training that is the end of the slowest rank
 * @param ownNanos its own compute time where the training loop tells it; 0 if not
 */
public record RankTimes(RankWork work, long startNanos, long endNanos, long ownNanos) {}
