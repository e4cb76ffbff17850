/** Costs learnt from what work really took: compute windows of accelerators, CPU time of decoding. Pure: observations are arguments. */
@NullMarked
package io.headrace.engine.cost.learn;

import org.jspecify.annotations.NullMarked;
