/** Writes the index of a source from the headers of its shards. */
@NullMarked
package io.headrace.runtime.prepare;

import org.jspecify.annotations.NullMarked;
