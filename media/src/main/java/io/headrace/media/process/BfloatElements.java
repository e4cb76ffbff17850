package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/** Values in bfloat16: the float32 value rounded half to even, as {@code tensor.to(torch.bfloat16)} rounds it. */
record BfloatElements(Normalisation normalisation) implements Elements {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int LANES = Lanes.COUNT;

    @Override
    public int bytes() {
        return Short.BYTES;
    }

    @Override
    public void block(int channel, long in, long stride, int lines, int width, long out) {
        float mean = normalisation.mean(channel);
        float std = normalisation.std(channel);
        if (normalisation.dividesByReciprocal()) {
            multiplied(mean, std, normalisation.reciprocal(channel), in, stride, lines, width, out);
        } else {
            divided(mean, std, in, stride, lines, width, out);
        }
    }

    @Override
    public void run(int channel, long in, int count, long out) {
        for (int i = 0; i + HALVES <= count; i += HALVES) {
            block(channel, in + i, 0, 1, HALVES, out + 2L * i);
        }
        if (count < HALVES) {
            for (int i = 0; i < count; i++) {
                set(out + 2L * i, channel, in + i);
            }
        } else if (count % HALVES != 0) {
            block(channel, in + count - HALVES, 0, 1, HALVES, out + 2L * (count - HALVES));
        }
    }

    @Override
    public void pixels(long in, long plane, int count, long out) {
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                set(out + 6L * i + 2L * c, c, in + c * plane + i);
            }
        }
    }

    private void set(long out, int channel, long in) {
        int level = Scratch.MEMORY.get(JAVA_BYTE, in) & 0xff;
        short value = Normalisation.bfloat16(normalisation.value(channel, level));
        Scratch.MEMORY.set(JAVA_SHORT_UNALIGNED, out, value);
    }

    private static void multiplied(
            float mean,
            float std,
            float reciprocal,
            long in,
            long stride,
            int lines,
            int width,
            long out) {
        FloatVector divisor = FloatVector.broadcast(Lanes.FLOATS, -std);
        FloatVector factor = FloatVector.broadcast(Lanes.FLOATS, reciprocal);
        for (int y = 0; y < lines; y++) {
            long from = in + y * stride;
            long to = out + 2L * y * width;
            for (int x = 0; x < width; x += LANES) {
                FloatVector difference = load(from + x).sub(mean);
                FloatVector quotient = difference.mul(factor);
                FloatVector remainder = quotient.fma(divisor, difference);
                store(remainder.fma(factor, quotient), to + 2L * x);
            }
        }
    }

    private static void divided(
            float mean, float std, long in, long stride, int lines, int width, long out) {
        for (int y = 0; y < lines; y++) {
            long from = in + y * stride;
            long to = out + 2L * y * width;
            for (int x = 0; x < width; x += LANES) {
                store(load(from + x).sub(mean).div(std), to + 2L * x);
            }
        }
    }

    private static FloatVector load(long address) {
        ByteVector levels =
                ByteVector.fromMemorySegment(Lanes.LEVELS, Scratch.MEMORY, address, ORDER);
        return (FloatVector)
                levels.convertShape(VectorOperators.ZERO_EXTEND_B2I, Lanes.INTS, 0)
                        .convertShape(VectorOperators.I2F, Lanes.FLOATS, 0);
    }

    private static void store(FloatVector values, long address) {
        IntVector bits = values.reinterpretAsInts();
        IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
        IntVector rounded = bits.add(0x7fff).add(odd).lanewise(VectorOperators.LSHR, 16);
        ShortVector upper =
                (ShortVector) rounded.convertShape(VectorOperators.I2S, Lanes.HALVES, 0);
        upper.intoMemorySegment(Scratch.MEMORY, address, ORDER);
    }

    /** Elements that a store may touch: more than one vector's lanes where shorts do not go below 64 bits. */
    private static final int HALVES = Math.max(LANES, Lanes.HALVES.length());
}
