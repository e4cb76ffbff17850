/** From captions and conversations to ids, labels and positions. */
@NullMarked
package io.headrace.media.text;

import org.jspecify.annotations.NullMarked;
