package io.headrace.media.process;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;
import java.lang.foreign.MemorySegment;

/**
 * Turns a picture into the tensor of one model. The size of the tensor follows from the picture's size alone, so a slot is laid out
 * before anything is decoded. Not thread-safe: each decode thread has its own, which owns its scratch memory.
 */
public interface ImageProcessor {

    /**
     * Sizes of the output for an upright picture.
     *
     * @throws BadPayload if the model has no size for it, such as an aspect ratio above its limit
     */
    ImageLayout layout(int width, int height) throws BadPayload;

    /**
     * Sizes of the output where the number of pictures in the sample counts.
     *
     * @param pictures how many the sample has, this one among them
     */
    default ImageLayout layout(int width, int height, int pictures) throws BadPayload {
        return layout(width, height);
    }

    /**
     * Writes the final tensor, element type as the recipe's wire says, into {@code out}, which is exactly as large as the layout.
     *
     * @param picture the picture, or in quality FAST a reduced one; the layout is that of the full size
     */
    void process(Picture picture, ImageLayout layout, MemorySegment out);

    /** Value of each level in float32: {@code [3][256]}, channels R, G, B. */
    float[][] table();
}
