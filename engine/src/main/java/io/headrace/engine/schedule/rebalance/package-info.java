/** Whether samples change ranks after their true costs are known: only where that gains more than it costs. Pure. */
@NullMarked
package io.headrace.engine.schedule.rebalance;

import org.jspecify.annotations.NullMarked;
