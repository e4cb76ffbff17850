/** Recordings: what their headers say, and their sound as mono samples of a wanted rate. */
@NullMarked
package io.headrace.media.audio;

import org.jspecify.annotations.NullMarked;
