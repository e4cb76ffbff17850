package io.headrace.media.video.frames;

/**
 * Packets that are decoded one after another, with a clean decoder before: samples from {@code fromSample}, a key, up to
 * {@code endSample} in decode order. Behind the last one the decoder is drained.
 */
public record DecodeRun(int fromSample, int endSample) {
    public int samples() {
        return endSample - fromSample;
    }
}
