package io.headrace.media.process.audio;

import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.audio.AudioFacts;
import io.headrace.media.audio.mel.LogMel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The features of WhisperFeatureExtractor, {@code [bands, 3000]}, which Whisper and Qwen2-Audio take. Not thread-safe: each decode thread
 * has its own.
 */
public final class AudioProcessor {
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int bands;
    private final LogMel mel;
    private final boolean rounded;

    /**
     * @param wire bfloat16 rounds to nearest, ties to even; uint8 is for pictures, sound stays float32
     */
    public AudioProcessor(int bands, Wire wire) {
        this.bands = bands;
        this.mel = new LogMel(bands);
        this.rounded = wire == Wire.BFLOAT16;
    }

    /**
     * Sizes of a recording's output.
     *
     * @param rateHz its sample rate
     * @param samples samples of one channel at that rate
     */
    public AudioLayout layout(int rateHz, long samples) {
        int used =
                (int)
                        Math.min(
                                LogMel.SAMPLES,
                                AudioFacts.resampled(samples, rateHz, LogMel.SAMPLE_RATE));
        int valid = Math.ceilDiv(used, LogMel.HOP);
        return new AudioLayout(used, bands, LogMel.FRAMES, valid, tokens(valid));
    }

    /** Positions of Qwen2-Audio: a convolution of stride 2, then pooling by 2 (Qwen2AudioProcessor). */
    private static int tokens(int validFrames) {
        return Math.max(0, (((validFrames - 1) / 2 + 1) - 2) / 2 + 1);
    }

    /**
     * Writes the features.
     *
     * @param sound mono samples of 16 kHz
     * @param count how many were decoded: what the layout has more is silence, what it has less is cut
     * @param out exactly as large as the layout
     */
    public void process(float[] sound, int count, AudioLayout layout, MemorySegment out) {
        float[] samples = sound;
        if (count < layout.samples()) {
            samples = Arrays.copyOf(Arrays.copyOf(sound, count), layout.samples());
        }
        mel.features(
                samples,
                layout.samples(),
                (band, frame, value) -> put(out, (long) band * layout.frames() + frame, value));
    }

    private void put(MemorySegment out, long at, float value) {
        if (rounded) {
            out.setAtIndex(SHORT, at, rounded(value));
        } else {
            out.setAtIndex(FLOAT, at, value);
        }
    }

    private static short rounded(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }
}
