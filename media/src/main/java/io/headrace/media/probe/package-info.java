/** What the first bytes of a picture tell: codec, size, orientation. */
@NullMarked
package io.headrace.media.probe;

import org.jspecify.annotations.NullMarked;
