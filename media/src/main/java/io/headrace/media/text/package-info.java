/** From captions and conversations to ids and labels, by template and vocabulary. */
@NullMarked
package io.headrace.media.text;

import org.jspecify.annotations.NullMarked;
