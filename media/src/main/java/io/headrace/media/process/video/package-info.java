/** What the frames of a video become for each model: which frames, at which size, and where their values go in the tensor. */
@NullMarked
package io.headrace.media.process.video;

import org.jspecify.annotations.NullMarked;
