package io.headrace.media.audio.mel;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Fourier transform of real signals, as many at once as a vector has lanes: element {@code i} of all signals lies in one vector at
 * {@code i * LANES}. A signal of n real values is one of n / 2 complex ones, transformed by Stockham's scheme with radices 5, 4 and 2
 * (Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1.7), and taken apart. Owns its memory; used by one thread.
 */
final class LaneFourier {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;

    /** Signals that are transformed at once. */
    static final int LANES = SPECIES.length();

    private static final int[] RADICES = {5, 4, 2};

    private final int half;
    private final int[] factors;
    private final double[] cosines;
    private final double[] sines;
    private double[] real;
    private double[] imaginary;
    private double[] realOut;
    private double[] imaginaryOut;

    /**
     * @param length real values of a signal: even, half of it a product of 2, 4 and 5
     */
    LaneFourier(int length) {
        half = length / 2;
        factors = factors(half);
        cosines = new double[length];
        sines = new double[length];
        for (int i = 0; i < length; i++) {
            cosines[i] = Math.cos(2 * Math.PI * i / length);
            sines[i] = -Math.sin(2 * Math.PI * i / length);
        }
        real = new double[half * LANES];
        imaginary = new double[half * LANES];
        realOut = new double[half * LANES];
        imaginaryOut = new double[half * LANES];
    }

    private static int[] factors(int n) {
        int[] found = new int[Integer.SIZE];
        int count = 0;
        int rest = n;
        for (int radix : RADICES) {
            while (rest % radix == 0) {
                found[count++] = radix;
                rest /= radix;
            }
        }
        if (rest != 1) {
            throw new IllegalArgumentException("No transform of length " + 2 * n);
        }
        return Arrays.copyOf(found, count);
    }

    /** Where even elements of the signals go before {@link #power}. */
    double[] even() {
        return real;
    }

    /** Where odd elements of the signals go. */
    double[] odd() {
        return imaginary;
    }

    /** Writes the squared magnitude of frequencies 0 to n / 2, each a vector of all signals; the signals are lost. */
    void power(double[] out) {
        transform();
        for (int k = 0; k <= half; k++) {
            int a = k % half * LANES;
            int b = (half - k) % half * LANES;
            DoubleVector ar = DoubleVector.fromArray(SPECIES, real, a);
            DoubleVector ai = DoubleVector.fromArray(SPECIES, imaginary, a);
            DoubleVector br = DoubleVector.fromArray(SPECIES, real, b);
            DoubleVector bi = DoubleVector.fromArray(SPECIES, imaginary, b);
            DoubleVector evenReal = ar.add(br).mul(0.5);
            DoubleVector evenImaginary = ai.sub(bi).mul(0.5);
            DoubleVector oddReal = ai.add(bi).mul(0.5);
            DoubleVector oddImaginary = br.sub(ar).mul(0.5);
            double c = cosines[k];
            double s = sines[k];
            DoubleVector re = oddReal.mul(c).sub(oddImaginary.mul(s)).add(evenReal);
            DoubleVector im = oddReal.mul(s).add(oddImaginary.mul(c)).add(evenImaginary);
            re.mul(re).add(im.mul(im)).intoArray(out, k * LANES);
        }
    }

    private void transform() {
        int length = half;
        int stride = 1;
        for (int radix : factors) {
            int parts = length / radix;
            for (int p = 0; p < parts; p++) {
                for (int q = 0; q < stride; q++) {
                    int from = (q + stride * p) * LANES;
                    int step = stride * parts * LANES;
                    int to = (q + stride * radix * p) * LANES;
                    switch (radix) {
                        case 2 -> two(from, step, to, stride, p * stride);
                        case 4 -> four(from, step, to, stride, p * stride);
                        default -> five(from, step, to, stride, p * stride);
                    }
                }
            }
            length = parts;
            stride *= radix;
            double[] swap = real;
            real = realOut;
            realOut = swap;
            swap = imaginary;
            imaginary = imaginaryOut;
            imaginaryOut = swap;
        }
    }

    /** Writes value {@code k} of a butterfly, turned by its twiddle factor: that of the whole length to the power of k times p. */
    private void put(DoubleVector re, DoubleVector im, int to, int stride, int k, int turn) {
        int at = to + k * stride * LANES;
        if (k == 0 || turn == 0) {
            re.intoArray(realOut, at);
            im.intoArray(imaginaryOut, at);
            return;
        }
        double c = cosines[2 * k * turn];
        double s = sines[2 * k * turn];
        re.mul(c).sub(im.mul(s)).intoArray(realOut, at);
        re.mul(s).add(im.mul(c)).intoArray(imaginaryOut, at);
    }

    private DoubleVector re(int at) {
        return DoubleVector.fromArray(SPECIES, real, at);
    }

    private DoubleVector im(int at) {
        return DoubleVector.fromArray(SPECIES, imaginary, at);
    }

    private void two(int from, int step, int to, int stride, int turn) {
        DoubleVector ar = re(from);
        DoubleVector ai = im(from);
        DoubleVector br = re(from + step);
        DoubleVector bi = im(from + step);
        put(ar.add(br), ai.add(bi), to, stride, 0, turn);
        put(ar.sub(br), ai.sub(bi), to, stride, 1, turn);
    }

    private void four(int from, int step, int to, int stride, int turn) {
        DoubleVector sumReal = re(from).add(re(from + 2 * step));
        DoubleVector sumImaginary = im(from).add(im(from + 2 * step));
        DoubleVector differenceReal = re(from).sub(re(from + 2 * step));
        DoubleVector differenceImaginary = im(from).sub(im(from + 2 * step));
        DoubleVector oddReal = re(from + step).add(re(from + 3 * step));
        DoubleVector oddImaginary = im(from + step).add(im(from + 3 * step));
        DoubleVector turnedReal = im(from + step).sub(im(from + 3 * step));
        DoubleVector turnedImaginary = re(from + 3 * step).sub(re(from + step));
        put(sumReal.add(oddReal), sumImaginary.add(oddImaginary), to, stride, 0, turn);
        put(
                differenceReal.add(turnedReal),
                differenceImaginary.add(turnedImaginary),
                to,
                stride,
                1,
                turn);
        put(sumReal.sub(oddReal), sumImaginary.sub(oddImaginary), to, stride, 2, turn);
        put(
                differenceReal.sub(turnedReal),
                differenceImaginary.sub(turnedImaginary),
                to,
                stride,
                3,
                turn);
    }

    private static final double C1 = Math.cos(2 * Math.PI / 5);
    private static final double C2 = Math.cos(4 * Math.PI / 5);
    private static final double S1 = Math.sin(2 * Math.PI / 5);
    private static final double S2 = Math.sin(4 * Math.PI / 5);

    private void five(int from, int step, int to, int stride, int turn) {
        DoubleVector ar = re(from);
        DoubleVector ai = im(from);
        DoubleVector nearReal = re(from + step).add(re(from + 4 * step));
        DoubleVector nearImaginary = im(from + step).add(im(from + 4 * step));
        DoubleVector farReal = re(from + 2 * step).add(re(from + 3 * step));
        DoubleVector farImaginary = im(from + 2 * step).add(im(from + 3 * step));
        DoubleVector nearDownReal = re(from + step).sub(re(from + 4 * step));
        DoubleVector nearDownImaginary = im(from + step).sub(im(from + 4 * step));
        DoubleVector farDownReal = re(from + 2 * step).sub(re(from + 3 * step));
        DoubleVector farDownImaginary = im(from + 2 * step).sub(im(from + 3 * step));
        DoubleVector oneReal = nearReal.mul(C1).add(farReal.mul(C2)).add(ar);
        DoubleVector oneImaginary = nearImaginary.mul(C1).add(farImaginary.mul(C2)).add(ai);
        DoubleVector twoReal = nearReal.mul(C2).add(farReal.mul(C1)).add(ar);
        DoubleVector twoImaginary = nearImaginary.mul(C2).add(farImaginary.mul(C1)).add(ai);
        DoubleVector oneTurnReal = nearDownImaginary.mul(S1).add(farDownImaginary.mul(S2));
        DoubleVector oneTurnImaginary = nearDownReal.mul(S1).add(farDownReal.mul(S2));
        DoubleVector twoTurnReal = nearDownImaginary.mul(S2).sub(farDownImaginary.mul(S1));
        DoubleVector twoTurnImaginary = nearDownReal.mul(S2).sub(farDownReal.mul(S1));
        put(
                ar.add(nearReal).add(farReal),
                ai.add(nearImaginary).add(farImaginary),
                to,
                stride,
                0,
                turn);
        put(oneReal.add(oneTurnReal), oneImaginary.sub(oneTurnImaginary), to, stride, 1, turn);
        put(twoReal.add(twoTurnReal), twoImaginary.sub(twoTurnImaginary), to, stride, 2, turn);
        put(twoReal.sub(twoTurnReal), twoImaginary.add(twoTurnImaginary), to, stride, 3, turn);
        put(oneReal.sub(oneTurnReal), oneImaginary.add(oneTurnImaginary), to, stride, 4, turn);
    }
}
