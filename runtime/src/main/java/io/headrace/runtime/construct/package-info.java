/** Data Constructors: slots laid out before decoding, and the pool that fills them. */
@NullMarked
package io.headrace.runtime.construct;

import org.jspecify.annotations.NullMarked;
