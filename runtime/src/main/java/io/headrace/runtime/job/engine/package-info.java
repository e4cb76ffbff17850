/** The engine of a host: what a recipe needs, opened in order, and closed in the reverse order. */
@NullMarked
package io.headrace.runtime.job.engine;

import org.jspecify.annotations.NullMarked;
