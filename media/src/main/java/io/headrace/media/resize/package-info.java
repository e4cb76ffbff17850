/** Resizing packed RGB pictures in bands, on the Vector API, to the bits of torchvision. */
@NullMarked
package io.headrace.media.resize;

import org.jspecify.annotations.NullMarked;
