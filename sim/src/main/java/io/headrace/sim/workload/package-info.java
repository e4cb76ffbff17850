/** Synthetic samples of the eleven workloads: descriptors, CPU work and costs from a seed, without any media. */
@NullMarked
package io.headrace.sim.workload;

import org.jspecify.annotations.NullMarked;
