/** Items with costs into bins of equal count, so that the heaviest bin is light. Pure and deterministic. */
@NullMarked
package io.headrace.engine.plan.balance;

import org.jspecify.annotations.NullMarked;
