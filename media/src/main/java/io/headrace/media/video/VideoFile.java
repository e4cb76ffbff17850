package io.headrace.media.video;

import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.FrameIndex;
import java.lang.foreign.MemorySegment;

/**
 * The main video stream of a file.
 *
 * @param stream its number among all streams of the file, from 0
 * @param codecName how the container (mp4, mov) or FFmpeg (all others) names the codec
 * @param width stored width in pixels, as the header has it
 * @param height stored height in pixels
 * @param orientation what turns stored frames upright
 * @param configuration what a decoder wants before the first packet; may be empty
 * @param index its frames and packets
 */
public record VideoFile(
        Container container,
        int stream,
        StreamCodec codec,
        String codecName,
        int width,
        int height,
        Orientation orientation,
        MemorySegment configuration,
        FrameIndex index) {

    /** How streams are laid out in a file, as its first bytes tell. */
    public enum Container {
        /** mp4, mov, m4v, 3gp. */
        MP4,
        /** mkv, webm. */
        MATROSKA,
        AVI
    }

    public int uprightWidth() {
        return orientation.swapsSides() ? height : width;
    }

    public int uprightHeight() {
        return orientation.swapsSides() ? width : height;
    }
}
