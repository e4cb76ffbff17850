package io.headrace.media.process.video;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;
import java.lang.foreign.MemorySegment;

/**
 * Turns the frames of a video into the tensor of one model. Which frames are taken and how large the tensor is follow from the facts
 * alone, so a slot is laid out before anything is decoded. Not thread-safe: each decode thread has its own, which owns its scratch
 * memory; several threads with one each may fill one tensor, since different frames never write the same bytes.
 */
public interface VideoProcessor {

    /**
     * Frames and sizes of the output.
     *
     * @throws BadPayload if the model has no size for the video, such as an aspect ratio above its limit or too few frames
     */
    VideoLayout layout(VideoFacts facts) throws BadPayload;

    /**
     * Writes the part of one frame, element type as the recipe's wire says. Frames may come in any order; a model that takes pairs
     * repeats the last of an odd number by itself.
     *
     * @param k which of the layout's frames this is, from 0
     * @param frame the upright frame
     * @param out the tensor of the whole video, exactly as large as the layout
     */
    void process(VideoLayout layout, int k, Picture frame, MemorySegment out);

    /** Value of each level in float32: {@code [3][256]}, channels R, G, B. */
    float[][] table();
}
