/** Parquet files: which columns make a sample, and how their values are reached. */
@NullMarked
package io.headrace.sources.formats.parquet;

import org.jspecify.annotations.NullMarked;
