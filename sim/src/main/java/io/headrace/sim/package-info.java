/** A job on a virtual clock: the real membership, planner, queue and cost models, with a model of cores and accelerators. */
@NullMarked
package io.headrace.sim;

import org.jspecify.annotations.NullMarked;
