package io.headrace.sim;

import io.headrace.engine.cost.Features;

/** How long work takes on the simulated host, in nanoseconds; functions of features, so that runs repeat exactly. */
public interface SimCosts {

    /** CPU time of one sample. */
    long decodeNanos(Features sample);

    /** Compute window of a rank for what it got in a step. */
    long computeNanos(Features rankTotal);
}
