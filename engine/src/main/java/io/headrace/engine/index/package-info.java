/** The sidecar of a source: descriptors in columns of one safetensors file, memory-mapped. */
@NullMarked
package io.headrace.engine.index;

import org.jspecify.annotations.NullMarked;
