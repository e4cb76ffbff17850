/** In which order the samples of one source are seen: a function of seed and position alone. Pure. */
@NullMarked
package io.headrace.engine.plan.order;

import org.jspecify.annotations.NullMarked;
