/** A host on a virtual clock: the real membership, planner and decode policy, with a model of cores and accelerators. */
@NullMarked
package io.headrace.sim;

import org.jspecify.annotations.NullMarked;
