package io.headrace.media.process;

/**
 * From levels to values: {@code (level - mean * 255) / (std * 255)}, each step in float32, {@code mean * 255} and {@code std * 255} also
 * rounded to float32. Immutable.
 */
public final class Normalisation {
    private static final int CHANNELS = 3;
    private static final int LEVELS = 256;

    private final float[] mean = new float[CHANNELS];
    private final float[] std = new float[CHANNELS];
    private final float[] reciprocal = new float[CHANNELS];
    private final float[][] table = new float[CHANNELS][LEVELS];
    private final boolean dividesByReciprocal;

    private Normalisation(double[] mean, double[] std) {
        boolean same = true;
        for (int c = 0; c < CHANNELS; c++) {
            this.mean[c] = (float) mean[c] * 255f;
            this.std[c] = (float) std[c] * 255f;
            this.reciprocal[c] = 1f / this.std[c];
            for (int level = 0; level < LEVELS; level++) {
                table[c][level] = (level - this.mean[c]) / this.std[c];
                same &=
                        Float.floatToRawIntBits(corrected(c, level))
                                == Float.floatToRawIntBits(table[c][level]);
            }
        }
        dividesByReciprocal = same;
    }

    /** Mean and standard deviation of the pictures that CLIP was trained on. */
    public static Normalisation clip() {
        return new Normalisation(
                new double[] {0.48145466, 0.4578275, 0.40821073},
                new double[] {0.26862954, 0.26130258, 0.27577711});
    }

    /** Mean and standard deviation of ImageNet. */
    public static Normalisation imageNet() {
        return new Normalisation(
                new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225});
    }

    /** To -1..1. */
    public static Normalisation half() {
        return new Normalisation(new double[] {0.5, 0.5, 0.5}, new double[] {0.5, 0.5, 0.5});
    }

    /** The quotient by multiplication, put right by its remainder: two fused steps instead of a division. */
    private float corrected(int channel, int level) {
        float difference = level - mean[channel];
        float quotient = difference * reciprocal[channel];
        float remainder = Math.fma(quotient, -std[channel], difference);
        return Math.fma(remainder, reciprocal[channel], quotient);
    }

    float mean(int channel) {
        return mean[channel];
    }

    float std(int channel) {
        return std[channel];
    }

    float reciprocal(int channel) {
        return reciprocal[channel];
    }

    /** Whether multiplying by the reciprocal and correcting once gives the bits of the division, for every level. */
    boolean dividesByReciprocal() {
        return dividesByReciprocal;
    }

    /** The value of a level. */
    float value(int channel, int level) {
        return table[channel][level];
    }

    /** A copy of all values: {@code [3][256]}. */
    public float[][] table() {
        float[][] copy = new float[CHANNELS][];
        for (int c = 0; c < CHANNELS; c++) {
            copy[c] = table[c].clone();
        }
        return copy;
    }

    /** The upper half of a float32, rounded half to even; for finite values. */
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
    }
}
