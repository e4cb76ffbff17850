/** Which samples make a step, and which rank, microbatch, row and offset each gets. Pure. */
@NullMarked
package io.headrace.engine.plan;

import org.jspecify.annotations.NullMarked;
