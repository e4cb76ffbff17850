package io.headrace.engine.recipe;

/**
 * What the engine of a host may hold.
 *
 * @param readyAheadSteps steps held ready for each rank
 * @param decodeThreads size of the decode pool; 0: the cores of the cgroup
 * @param schedule in which order samples are decoded
 * @param waitWarningMillis a rank that waits longer is told for what
 */
public record DeliverySpec(
        int readyAheadSteps, int decodeThreads, Schedule schedule, long waitWarningMillis) {

    /** In which order the decode pool takes the samples of planned steps. */
    public enum Schedule {
        /** By the deadlines of steps and what is left to do for them. */
        DEADLINE,
        /** The first step first, in it the longest work first. */
        FIRST_STEP_FIRST,
        /** In the order of the plan. */
        FIFO
    }
}
