/** Speed of the hand-over from engine to rank. */
@NullMarked
package io.headrace.bench.deliver;

import org.jspecify.annotations.NullMarked;
