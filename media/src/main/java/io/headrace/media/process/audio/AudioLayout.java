package io.headrace.media.process.audio;

/**
 * Sizes of one recording's output.
 *
 * @param samples samples at 16 kHz that are used, at most 30 s
 * @param bands rows of the features
 * @param frames columns of the features, silence included
 * @param validFrames columns that hold sound: {@code attention_mask} of WhisperFeatureExtractor, every 160th sample's
 * @param tokens positions that the recording takes in the backbone's sequence
 */
public record AudioLayout(int samples, int bands, int frames, int validFrames, int tokens) {

    /** Elements of the whole output. */
    public long elements() {
        return (long) bands * frames;
    }
}
