package io.headrace.media.process;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The inner loops of the pass across. Lanes are rows: input is one vector of 32-bit levels for each byte column, output four neighbouring
 * levels of one channel in each lane. So weights are the same in all lanes, and no sum runs over lanes.
 */
final class AcrossKernel {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int BYTES = Lanes.BYTES;

    private AcrossKernel() {}

    /** Spreads {@code words} vectors of four byte columns each into vectors of one column each. */
    static void spread(long in, int words, long out) {
        long to = out;
        for (int i = 0; i < words; i++) {
            IntVector four = load(in + (long) i * BYTES);
            store(four.and(0xff), to);
            store(four.lanewise(VectorOperators.LSHR, 8).and(0xff), to + BYTES);
            store(four.lanewise(VectorOperators.LSHR, 16).and(0xff), to + 2L * BYTES);
            store(four.lanewise(VectorOperators.LSHR, 24), to + 3L * BYTES);
            to += 4L * BYTES;
        }
    }

    /**
     * Makes outputs {@code from} to before {@code to}, both multiples of four.
     *
     * @param columns address that byte column 0 of the row would have
     * @param out address of the vector of red; green and blue follow {@code plane} and twice {@code plane} bytes later
     */
    static void sum(Taps pass, int from, int to, long columns, long out, long plane) {
        int[] first = pass.first();
        int[] weights = pass.weights();
        int taps = pass.taps();
        int bits = pass.bits();
        IntVector half = IntVector.broadcast(Lanes.INTS, pass.half());
        long at = out;
        for (int x = from; x < to; x += Taps.GROUP) {
            IntVector reds = IntVector.zero(Lanes.INTS);
            IntVector greens = reds;
            IntVector blues = reds;
            for (int j = 0; j < Taps.GROUP; j++) {
                long in = columns + 3L * BYTES * first[x + j];
                IntVector red = half;
                IntVector green = half;
                IntVector blue = half;
                int w = (x + j) * taps;
                for (int k = 0; k < taps; k++) {
                    IntVector weight = IntVector.broadcast(Lanes.INTS, weights[w + k]);
                    red = red.add(load(in).mul(weight));
                    green = green.add(load(in + BYTES).mul(weight));
                    blue = blue.add(load(in + 2L * BYTES).mul(weight));
                    in += 3L * BYTES;
                }
                int shift = 8 * j;
                reds = reds.or(level(red, bits).lanewise(VectorOperators.LSHL, shift));
                greens = greens.or(level(green, bits).lanewise(VectorOperators.LSHL, shift));
                blues = blues.or(level(blue, bits).lanewise(VectorOperators.LSHL, shift));
            }
            store(reds, at);
            store(greens, at + plane);
            store(blues, at + 2 * plane);
            at += BYTES;
        }
    }

    private static IntVector level(IntVector sum, int bits) {
        return sum.lanewise(VectorOperators.ASHR, bits).max(0).min(255);
    }

    private static IntVector load(long address) {
        return IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, address, ORDER);
    }

    private static void store(IntVector vector, long address) {
        vector.intoMemorySegment(Scratch.MEMORY, address, ORDER);
    }
}
