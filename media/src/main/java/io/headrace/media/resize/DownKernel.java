package io.headrace.media.resize;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The inner loops of the pass down: a lane holds four neighbouring levels of one row of one channel, weights are the same in all lanes.
 */
final class DownKernel {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int BYTES = Lanes.BYTES;

    private DownKernel() {}

    /**
     * Makes one row of one channel; rows have room for whole vectors.
     *
     * @param rows addresses of the input rows, one for each tap
     * @param plane what is added to them for this channel
     */
    static void sum(Taps pass, int y, long[] rows, long plane, int width, long out) {
        int[] weights = pass.weights();
        int taps = pass.taps();
        int bits = pass.bits();
        IntVector half = IntVector.broadcast(Lanes.INTS, pass.half());
        int w = y * taps;
        for (int x = 0; x < width; x += BYTES) {
            IntVector a = half;
            IntVector b = half;
            IntVector c = half;
            IntVector d = half;
            for (int k = 0; k < taps; k++) {
                IntVector weight = IntVector.broadcast(Lanes.INTS, weights[w + k]);
                IntVector four =
                        IntVector.fromMemorySegment(
                                Lanes.INTS, Scratch.MEMORY, rows[k] + plane + x, ORDER);
                a = a.add(four.and(0xff).mul(weight));
                b = b.add(four.lanewise(VectorOperators.LSHR, 8).and(0xff).mul(weight));
                c = c.add(four.lanewise(VectorOperators.LSHR, 16).and(0xff).mul(weight));
                d = d.add(four.lanewise(VectorOperators.LSHR, 24).mul(weight));
            }
            IntVector low =
                    a.lanewise(VectorOperators.ASHR, bits)
                            .max(0)
                            .min(255)
                            .or(
                                    b.lanewise(VectorOperators.ASHR, bits)
                                            .max(0)
                                            .min(255)
                                            .lanewise(VectorOperators.LSHL, 8));
            IntVector high =
                    c.lanewise(VectorOperators.ASHR, bits)
                            .max(0)
                            .min(255)
                            .or(
                                    d.lanewise(VectorOperators.ASHR, bits)
                                            .max(0)
                                            .min(255)
                                            .lanewise(VectorOperators.LSHL, 8));
            low.or(high.lanewise(VectorOperators.LSHL, 16))
                    .intoMemorySegment(Scratch.MEMORY, out + x, ORDER);
        }
    }
}
