/** From encoded bytes to packed RGB in native memory. */
@NullMarked
package io.headrace.media.decode;

import org.jspecify.annotations.NullMarked;
