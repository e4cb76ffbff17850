/** Shapes before decoding: what tensors a step of a rank has, and which part of each every sample fills. */
@NullMarked
package io.headrace.runtime.construct.shape;

import org.jspecify.annotations.NullMarked;
