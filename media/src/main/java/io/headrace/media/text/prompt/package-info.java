/** Captions and conversations as they lie in payloads, before any template. */
@NullMarked
package io.headrace.media.text.prompt;

import org.jspecify.annotations.NullMarked;
