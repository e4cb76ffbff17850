/** Opens shards of any format: to scan them for an index, and to read payloads at run time by their locations. */
@NullMarked
package io.headrace.sources.read;

import org.jspecify.annotations.NullMarked;
