/** How samples lie in shards: tars, Parquet, JSON lines and lists, folders. */
@NullMarked
package io.headrace.sources.formats;

import org.jspecify.annotations.NullMarked;
