/** Vocabularies: from text to ids. */
@NullMarked
package io.headrace.media.text.token;

import org.jspecify.annotations.NullMarked;
