package io.headrace.sim;

/** How the cores of a host are given to the work of its ranks. */
public enum SimPolicy {
    /** One pool for all ranks, by deadlines and learnt costs. */
    DEADLINE,
    /** One pool for all ranks, the first step first and the longest work of a step first. */
    FIRST_STEP_FIRST,
    /** One pool for all ranks, in the order of the plan. */
    FIFO,
    /** Each rank has workers of its own, in the order of its plan; the kernel shares the cores evenly among those that are busy. */
    RANK_LOCAL,
    /** Each rank has workers and an even part of the cores of its own. */
    QUOTA;

    boolean isLocal() {
        return this == RANK_LOCAL || this == QUOTA;
    }
}
