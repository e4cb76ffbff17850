/** Frames of containers other than mp4: packets as FFmpeg's demultiplexer finds them, without a decoder. */
@NullMarked
package io.headrace.media.video.demux;

import org.jspecify.annotations.NullMarked;
