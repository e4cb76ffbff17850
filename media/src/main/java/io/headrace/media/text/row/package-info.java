/** The text tensors of rows and packs: ids, labels, positions, segments and sequence bounds. */
@NullMarked
package io.headrace.media.text.row;

import org.jspecify.annotations.NullMarked;
