/** The pool of threads that decode for all ranks of a host. */
@NullMarked
package io.headrace.runtime.construct.decode;

import org.jspecify.annotations.NullMarked;
