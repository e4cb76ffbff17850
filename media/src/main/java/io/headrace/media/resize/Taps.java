package io.headrace.media.resize;

/**
 * The weights of one pass of a resize: output position {@code i} is the sum of {@code taps} inputs from {@code first[i]} on, times
 * fixed-point weights, plus {@code 2^(bits-1)}, shifted right by {@code bits} and clipped to 0..255.
 *
 * <p>Every position has the same number of taps: shorter windows are filled up with weights of zero, and windows never reach outside
 * the input. Weights are computed in float64 as torchvision computes them; {@code bits} is the most that keeps the largest weight of
 * the whole pass below 2^15. A sum of {@code taps} products stays inside 32 bits, since the weights add up to about {@code 2^bits} and
 * {@code bits} is at most 22. A pass that changes nothing has one tap of weight 1.
 *
 * <p>Immutable after it is made. The arrays are shared with the kernels, not copied; positions past {@code outputs} up to a multiple of
 * {@link #GROUP} repeat the last one, so that kernels may work on whole groups.
 */
final class Taps {
    /** Outputs that kernels make at a time. */
    static final int GROUP = 4;

    private static final int MOST_BITS = 22;

    private final int taps;
    private final int bits;
    private final int outputs;
    private final int[] first;
    private final int[] weights;

    private Taps(int taps, int bits, int outputs, int[] first, int[] weights) {
        this.taps = taps;
        this.bits = bits;
        this.outputs = outputs;
        this.first = first;
        this.weights = weights;
    }

    /**
     * The pass from {@code in} to {@code out} positions, of which only those from {@code from} to before {@code to} are made.
     */
    static Taps of(Filter filter, int in, int out, int from, int to) {
        int padded = (to - from + GROUP - 1) / GROUP * GROUP;
        int[] first = new int[padded];
        if (in == out) {
            int[] ones = new int[padded];
            for (int i = 0; i < padded; i++) {
                first[i] = from + Math.min(i, to - from - 1);
                ones[i] = 1;
            }
            return new Taps(1, 0, to - from, first, ones);
        }
        double scale = (double) in / out;
        double stretch = Math.max(scale, 1);
        double support = filter.reach() * stretch;
        int taps = 0;
        for (int i = from; i < to; i++) {
            taps = Math.max(taps, end(i, scale, support, in) - start(i, scale, support));
        }
        int bits = bits(largest(filter, in, out));
        int[] weights = new int[padded * taps];
        for (int i = 0; i < padded; i++) {
            int position = from + Math.min(i, to - from - 1);
            int lo = start(position, scale, support);
            double[] exact =
                    exact(filter, position, scale, stretch, lo, end(position, scale, support, in));
            first[i] = Math.min(lo, in - taps);
            for (int k = 0; k < exact.length; k++) {
                weights[i * taps + lo - first[i] + k] = fixed(exact[k], bits);
            }
        }
        return new Taps(taps, bits, to - from, first, weights);
    }

    private static int start(int i, double scale, double support) {
        return Math.max((int) ((i + 0.5) * scale - support + 0.5), 0);
    }

    private static int end(int i, double scale, double support, int in) {
        return Math.min((int) ((i + 0.5) * scale + support + 0.5), in);
    }

    private static double[] exact(
            Filter filter, int i, double scale, double stretch, int lo, int hi) {
        double centre = (i + 0.5) * scale;
        double[] weights = new double[hi - lo];
        double total = 0;
        for (int k = 0; k < weights.length; k++) {
            weights[k] = filter.at((k + lo - centre + 0.5) / stretch);
            total += weights[k];
        }
        for (int k = 0; k < weights.length; k++) {
            weights[k] /= total;
        }
        return weights;
    }

    private static double largest(Filter filter, int in, int out) {
        double scale = (double) in / out;
        double stretch = Math.max(scale, 1);
        double support = filter.reach() * stretch;
        double top = 0;
        for (int i = 0; i < out; i++) {
            int lo = start(i, scale, support);
            for (double w : exact(filter, i, scale, stretch, lo, end(i, scale, support, in))) {
                top = Math.max(top, w);
            }
        }
        return top;
    }

    private static int bits(double top) {
        int bits = 0;
        while (bits < MOST_BITS && (long) (0.5 + top * (1 << (bits + 1))) < 1 << 15) {
            bits++;
        }
        return bits;
    }

    private static int fixed(double weight, int bits) {
        double scaled = weight * (1 << bits);
        return (int) (weight < 0 ? scaled - 0.5 : scaled + 0.5);
    }

    private static int half(int bits) {
        return bits == 0 ? 0 : 1 << (bits - 1);
    }

    int taps() {
        return taps;
    }

    int bits() {
        return bits;
    }

    /** What is added before the shift. */
    int half() {
        return half(bits);
    }

    int outputs() {
        return outputs;
    }

    /** First input position of each output. */
    int[] first() {
        return first;
    }

    /** {@code taps} weights of each output, one output after the other. */
    int[] weights() {
        return weights;
    }

    /** Input position after the last one that output {@code i} needs. */
    int end(int i) {
        return first[i] + taps;
    }
}
