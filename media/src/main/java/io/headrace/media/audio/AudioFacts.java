package io.headrace.media.audio;

import io.headrace.engine.descriptor.Codec;

/**
 * What the headers of a recording say.
 *
 * @param rateHz sample rate as stored
 * @param channels channels as stored
 * @param samples samples of one channel that decoding gives
 */
public record AudioFacts(Codec codec, int rateHz, int channels, long samples) {

    /** How many samples there are at another rate, as the resampler gives them: rounded down. */
    public static long resampled(long samples, int rateHz, int wantedHz) {
        return Math.floorDiv(Math.multiplyExact(samples, (long) wantedHz), rateHz);
    }
}
