/** What the header of an mp4 or mov tells, without a decoder: tracks, edit lists and the place and time of each sample. */
@NullMarked
package io.headrace.media.video.container;

import org.jspecify.annotations.NullMarked;
