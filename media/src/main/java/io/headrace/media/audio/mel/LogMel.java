package io.headrace.media.audio.mel;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The features of WhisperFeatureExtractor: sound of 16 kHz, cut or padded with silence to 30 s and mirrored by 200 samples at both ends;
 * windows of 400 samples (periodic Hann) every 160; power; mel bands up to 8 kHz; decimal logarithm of at least 1e-10; nothing more than
 * 8 below the greatest; {@code (x + 4) / 4}. In float64 throughout; the reference is float32 and differs by at most 5.1e-5.
 *
 * <p>Frames that hold nothing but silence are not computed. Owns its memory; used by one thread.
 */
public final class LogMel {
    public static final int SAMPLE_RATE = 16_000;

    /** Samples of 30 s. */
    public static final int SAMPLES = 480_000;

    public static final int FRAMES = 3000;
    public static final int HOP = 160;

    private static final int WINDOW = 400;
    private static final int FREQUENCIES = WINDOW / 2 + 1;
    private static final double HIGHEST_HERTZ = 8000;
    private static final double FLOOR = 1e-10;
    private static final double RANGE = 8;
    private static final double SCALE = 4;
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = LaneFourier.LANES;

    private final MelBank bank;
    private final LaneFourier fourier = new LaneFourier(WINDOW);
    private final double[] window = new double[WINDOW];
    private final double[] power = new double[FREQUENCIES * LANES];
    private final double[] logs;

    /**
     * @param bands 80, or 128 as whisper-large-v3 and Qwen2-Audio
     */
    public LogMel(int bands) {
        bank = new MelBank(bands, FREQUENCIES, HIGHEST_HERTZ);
        logs = new double[bands * (FRAMES + LANES)];
        for (int i = 0; i < WINDOW; i++) {
            window[i] = 0.5 - 0.5 * Math.cos(2 * Math.PI * i / WINDOW);
        }
    }

    /** Takes the value of a band and a frame. */
    @FunctionalInterface
    public interface Sink {
        void put(int band, int frame, float value);
    }

    /**
     * Computes all features.
     *
     * @param sound mono samples of 16 kHz
     * @param samples how many there are; those above {@link #SAMPLES} are cut
     */
    public void features(float[] sound, int samples, Sink out) {
        int used = Math.min(samples, SAMPLES);
        // Of a full 30 s the mirrored end is sound too.
        int sounding =
                used >= SAMPLES - WINDOW / 2
                        ? FRAMES
                        : Math.min(FRAMES, (used + WINDOW / 2) / HOP + 1);
        double greatest = sounding < FRAMES ? Math.log10(FLOOR) : Double.NEGATIVE_INFINITY;
        for (int frame = 0; frame < sounding; frame += LANES) {
            int frames = Math.min(LANES, sounding - frame);
            load(sound, used, frame, frames);
            fourier.power(power);
            greatest = Math.max(greatest, logs(frame, frames));
        }
        give(sounding, greatest, out);
    }

    /** Windows of the next frames, one a lane; silence in lanes that are left over. */
    private void load(float[] sound, int used, int frame, int frames) {
        double[] even = fourier.even();
        double[] odd = fourier.odd();
        if (frames < LANES) {
            Arrays.fill(even, 0);
            Arrays.fill(odd, 0);
        }
        for (int lane = 0; lane < frames; lane++) {
            int start = (frame + lane) * HOP - WINDOW / 2;
            if (start >= 0 && start + WINDOW <= used) {
                for (int i = 0; i < WINDOW; i += 2) {
                    even[i / 2 * LANES + lane] = sound[start + i] * window[i];
                    odd[i / 2 * LANES + lane] = sound[start + i + 1] * window[i + 1];
                }
            } else {
                for (int i = 0; i < WINDOW; i += 2) {
                    even[i / 2 * LANES + lane] = at(sound, used, start + i) * window[i];
                    odd[i / 2 * LANES + lane] = at(sound, used, start + i + 1) * window[i + 1];
                }
            }
        }
    }

    /** A sample of the padded sound, mirrored at both ends. */
    private static float at(float[] sound, int used, int sample) {
        int mirrored =
                sample < 0 ? -sample : sample >= SAMPLES ? 2 * (SAMPLES - 1) - sample : sample;
        return mirrored < used ? sound[mirrored] : 0;
    }

    /** Logarithms of all bands of the frames in {@code power}; gives the greatest. */
    private double logs(int frame, int frames) {
        VectorMask<Double> known = SPECIES.indexInRange(0, frames);
        DoubleVector greatest = DoubleVector.broadcast(SPECIES, Double.NEGATIVE_INFINITY);
        for (int band = 0; band < bank.bands(); band++) {
            double[] weights = bank.weights(band);
            int first = bank.first(band);
            DoubleVector sum = DoubleVector.zero(SPECIES);
            for (int k = 0; k < weights.length; k++) {
                sum =
                        DoubleVector.fromArray(SPECIES, power, (first + k) * LANES)
                                .mul(weights[k])
                                .add(sum);
            }
            DoubleVector log = sum.max(FLOOR).lanewise(VectorOperators.LOG10);
            log.intoArray(logs, band * (FRAMES + LANES) + frame);
            greatest = greatest.lanewise(VectorOperators.MAX, log, known);
        }
        return greatest.reduceLanes(VectorOperators.MAX, known);
    }

    private void give(int sounding, double greatest, Sink out) {
        double least = greatest - RANGE;
        float silence = (float) ((Math.max(Math.log10(FLOOR), least) + SCALE) / SCALE);
        for (int band = 0; band < bank.bands(); band++) {
            int row = band * (FRAMES + LANES);
            for (int frame = 0; frame < sounding; frame++) {
                out.put(
                        band,
                        frame,
                        (float) ((Math.max(logs[row + frame], least) + SCALE) / SCALE));
            }
            for (int frame = sounding; frame < FRAMES; frame++) {
                out.put(band, frame, silence);
            }
        }
    }
}
