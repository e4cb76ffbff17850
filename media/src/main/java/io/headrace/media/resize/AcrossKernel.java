package io.headrace.media.resize;

import static io.headrace.media.resize.Lanes.INTS;
import static io.headrace.media.resize.Scratch.MEMORY;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;

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
            IntVector four =
                    IntVector.fromMemorySegment(INTS, MEMORY, in + (long) i * BYTES, ORDER);
            four.and(0xff).intoMemorySegment(MEMORY, to, ORDER);
            four.lanewise(LSHR, 8).and(0xff).intoMemorySegment(MEMORY, to + BYTES, ORDER);
            four.lanewise(LSHR, 16).and(0xff).intoMemorySegment(MEMORY, to + 2L * BYTES, ORDER);
            four.lanewise(LSHR, 24).intoMemorySegment(MEMORY, to + 3L * BYTES, ORDER);
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
        IntVector half = IntVector.broadcast(INTS, pass.half());
        long at = out;
        for (int x = from; x < to; x += Taps.GROUP) {
            IntVector reds = IntVector.zero(INTS);
            IntVector greens = reds;
            IntVector blues = reds;
            for (int j = 0; j < Taps.GROUP; j++) {
                long in = columns + 3L * BYTES * first[x + j];
                IntVector red = half;
                IntVector green = half;
                IntVector blue = half;
                int w = (x + j) * taps;
                for (int k = 0; k < taps; k++) {
                    IntVector weight = IntVector.broadcast(INTS, weights[w + k]);
                    red = red.add(IntVector.fromMemorySegment(INTS, MEMORY, in, ORDER).mul(weight));
                    green =
                            green.add(
                                    IntVector.fromMemorySegment(INTS, MEMORY, in + BYTES, ORDER)
                                            .mul(weight));
                    blue =
                            blue.add(
                                    IntVector.fromMemorySegment(
                                                    INTS, MEMORY, in + 2L * BYTES, ORDER)
                                            .mul(weight));
                    in += 3L * BYTES;
                }
                int shift = 8 * j;
                reds = reds.or(red.lanewise(ASHR, bits).max(0).min(255).lanewise(LSHL, shift));
                greens =
                        greens.or(green.lanewise(ASHR, bits).max(0).min(255).lanewise(LSHL, shift));
                blues = blues.or(blue.lanewise(ASHR, bits).max(0).min(255).lanewise(LSHL, shift));
            }
            reds.intoMemorySegment(MEMORY, at, ORDER);
            greens.intoMemorySegment(MEMORY, at + plane, ORDER);
            blues.intoMemorySegment(MEMORY, at + 2 * plane, ORDER);
            at += BYTES;
        }
    }
}
