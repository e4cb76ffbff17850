package io.headrace.media.audio;

/** How several channels become one. */
public enum Downmix {
    /** The mean of left and right, as soundfile and librosa have it. */
    MEAN,
    /** {@code (L + R) / sqrt(2)}, as FFmpeg and torchcodec have it: 3 dB louder for the same sound on both. */
    POWER
}
