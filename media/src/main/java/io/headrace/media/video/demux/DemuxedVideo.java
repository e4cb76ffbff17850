package io.headrace.media.video.demux;

import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.FrameIndex;
import java.lang.foreign.MemorySegment;

/**
 * The main video stream of a file, as its demultiplexer gives it.
 *
 * @param stream its number among all streams
 * @param codecName FFmpeg's name of the codec
 * @param width stored width in pixels, as the container has it
 * @param height stored height in pixels
 * @param configuration what a decoder wants before the first packet; may be empty
 */
public record DemuxedVideo(
        int stream,
        StreamCodec codec,
        String codecName,
        int width,
        int height,
        Orientation orientation,
        MemorySegment configuration,
        FrameIndex index) {}
