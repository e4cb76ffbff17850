package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Values in float32. */
record FloatElements(Normalisation normalisation) implements Elements {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int LANES = Lanes.COUNT;

    @Override
    public int bytes() {
        return Float.BYTES;
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
        int whole = count / LANES * LANES;
        block(channel, in, 0, 1, whole, out);
        if (whole < count && count >= LANES) {
            block(channel, in + count - LANES, 0, 1, LANES, out + 4L * (count - LANES));
        } else {
            for (int i = whole; i < count; i++) {
                set(out + 4L * i, channel, in + i);
            }
        }
    }

    @Override
    public void pixels(long in, long plane, int count, long out) {
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                set(out + 12L * i + 4L * c, c, in + c * plane + i);
            }
        }
    }

    private void set(long out, int channel, long in) {
        int level = Scratch.MEMORY.get(JAVA_BYTE, in) & 0xff;
        Scratch.MEMORY.set(JAVA_FLOAT_UNALIGNED, out, normalisation.value(channel, level));
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
            long to = out + 4L * y * width;
            for (int x = 0; x < width; x += LANES) {
                FloatVector difference = load(from + x).sub(mean);
                FloatVector quotient = difference.mul(factor);
                FloatVector remainder = quotient.fma(divisor, difference);
                remainder
                        .fma(factor, quotient)
                        .intoMemorySegment(Scratch.MEMORY, to + 4L * x, ORDER);
            }
        }
    }

    private static void divided(
            float mean, float std, long in, long stride, int lines, int width, long out) {
        for (int y = 0; y < lines; y++) {
            long from = in + y * stride;
            long to = out + 4L * y * width;
            for (int x = 0; x < width; x += LANES) {
                load(from + x)
                        .sub(mean)
                        .div(std)
                        .intoMemorySegment(Scratch.MEMORY, to + 4L * x, ORDER);
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
}
