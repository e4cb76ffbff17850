/** What is known of a video without a decoder, whatever its container. */
@NullMarked
package io.headrace.media.video;

import org.jspecify.annotations.NullMarked;
