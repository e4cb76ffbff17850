package io.headrace.media.process;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** The inner loops of the pass down: lanes are neighbouring levels of one row of one channel, weights are the same in all lanes. */
final class DownKernel {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int LANES = Lanes.COUNT;

    private DownKernel() {}

    /**
     * Makes one row of one channel; rows have room for whole groups of four vectors.
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
        for (int x = 0; x < width; x += 4 * LANES) {
            IntVector a = half;
            IntVector b = half;
            IntVector c = half;
            IntVector d = half;
            for (int k = 0; k < taps; k++) {
                IntVector weight = IntVector.broadcast(Lanes.INTS, weights[w + k]);
                long in = rows[k] + plane + x;
                a = a.add(load(in).mul(weight));
                b = b.add(load(in + LANES).mul(weight));
                c = c.add(load(in + 2L * LANES).mul(weight));
                d = d.add(load(in + 3L * LANES).mul(weight));
            }
            store(level(a, bits), out + x);
            store(level(b, bits), out + x + LANES);
            store(level(c, bits), out + x + 2L * LANES);
            store(level(d, bits), out + x + 3L * LANES);
        }
    }

    private static IntVector level(IntVector sum, int bits) {
        return sum.lanewise(VectorOperators.ASHR, bits).max(0).min(255);
    }

    private static IntVector load(long address) {
        ByteVector levels =
                ByteVector.fromMemorySegment(Lanes.LEVELS, Scratch.MEMORY, address, ORDER);
        return (IntVector) levels.convertShape(VectorOperators.ZERO_EXTEND_B2I, Lanes.INTS, 0);
    }

    private static void store(IntVector levels, long address) {
        ByteVector narrow = (ByteVector) levels.convertShape(VectorOperators.I2B, Lanes.LEVELS, 0);
        narrow.intoMemorySegment(Scratch.MEMORY, address, ORDER);
    }
}
