package io.headrace.engine.recipe;

/**
 * What the engine of a host may hold.
 *
 * @param readyAheadSteps steps held ready for each rank
 * @param decodeThreads size of the decode pool; 0: the cores of the cgroup
 * @param waitWarningMillis a rank that waits longer is told for what
 */
public record DeliverySpec(int readyAheadSteps, int decodeThreads, long waitWarningMillis) {}
