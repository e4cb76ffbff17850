package io.headrace.media.audio.mel;

import java.util.Arrays;

/**
 * Triangular filters at even distances on Slaney's mel scale, each of area one in hertz: {@code mel_filter_bank(norm="slaney",
 * mel_scale="slaney")} of transformers. Kept as the run of frequencies that each filter passes. Immutable.
 */
final class MelBank {

    /** Slaney's scale is linear up to 1 kHz, which is mel 15, and logarithmic above: 27 mel for a factor of 6.4. */
    private static final double BREAK_HERTZ = 1000;

    private static final double BREAK_MEL = 15;
    private static final double HERTZ_A_MEL = 200.0 / 3;
    private static final double LOG_STEP = Math.log(6.4) / 27;

    private final int[] first;
    private final double[][] weights;

    /**
     * @param frequencies number of frequencies, from 0 to {@code highestHertz}
     */
    MelBank(int bands, int frequencies, double highestHertz) {
        first = new int[bands];
        weights = new double[bands][];
        double[] edges = new double[bands + 2];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = hertz(mel(highestHertz) * i / (bands + 1));
        }
        for (int band = 0; band < bands; band++) {
            fill(band, edges[band], edges[band + 1], edges[band + 2], frequencies, highestHertz);
        }
    }

    private void fill(
            int band, double low, double middle, double high, int frequencies, double highest) {
        int from = 0;
        int end = 0;
        double[] all = new double[frequencies];
        for (int k = 0; k < frequencies; k++) {
            double hertz = highest * k / (frequencies - 1);
            double rising = (hertz - low) / (middle - low);
            double falling = (high - hertz) / (high - middle);
            all[k] = Math.max(0, Math.min(rising, falling)) * 2 / (high - low);
            if (all[k] > 0) {
                from = end == 0 ? k : from;
                end = k + 1;
            }
        }
        first[band] = from;
        weights[band] = Arrays.copyOfRange(all, from, Math.max(from, end));
    }

    private static double mel(double hertz) {
        return hertz < BREAK_HERTZ
                ? hertz / HERTZ_A_MEL
                : BREAK_MEL + Math.log(hertz / BREAK_HERTZ) / LOG_STEP;
    }

    private static double hertz(double mel) {
        return mel < BREAK_MEL
                ? mel * HERTZ_A_MEL
                : BREAK_HERTZ * Math.exp((mel - BREAK_MEL) * LOG_STEP);
    }

    int bands() {
        return first.length;
    }

    /** The first frequency that a band passes. */
    int first(int band) {
        return first[band];
    }

    /** The weights of a band from its first frequency on. */
    double[] weights(int band) {
        return weights[band];
    }
}
