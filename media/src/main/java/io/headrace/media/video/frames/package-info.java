/** Which frame is shown when, which frames a model wants, and which packets must be decoded for them. */
@NullMarked
package io.headrace.media.video.frames;

import org.jspecify.annotations.NullMarked;
