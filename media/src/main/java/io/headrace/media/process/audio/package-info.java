/** Recordings to the tensors of the models that hear. */
@NullMarked
package io.headrace.media.process.audio;

import org.jspecify.annotations.NullMarked;
