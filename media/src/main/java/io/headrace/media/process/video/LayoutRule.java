package io.headrace.media.process.video;

import io.headrace.engine.descriptor.BadPayload;

/** Frames and sizes of a model's output, from the facts alone. */
@FunctionalInterface
interface LayoutRule {
    VideoLayout layout(VideoFacts facts) throws BadPayload;
}
