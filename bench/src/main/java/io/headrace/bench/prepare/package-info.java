/** How fast indexes are written. */
@NullMarked
package io.headrace.bench.prepare;

import org.jspecify.annotations.NullMarked;
