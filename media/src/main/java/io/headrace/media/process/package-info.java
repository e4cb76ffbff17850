/** From packed RGB to the tensor that the model's own processor gives, in one pass. */
@NullMarked
package io.headrace.media.process;

import org.jspecify.annotations.NullMarked;
