package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;

/** Takes frames as they are decoded. */
@FunctionalInterface
public interface FrameSink {

    /**
     * Takes a frame.
     *
     * @param k its place among the wanted frames; places come in display order, but for leading pictures of an open group
     * @param picture the upright frame; its memory holds until this call returns
     */
    void frame(int k, Picture picture) throws BadPayload;
}
