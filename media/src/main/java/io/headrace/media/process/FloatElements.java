package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.headrace.media.resize.Lanes;
import io.headrace.media.resize.Scratch;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Values in float32. A level is turned into its value by arithmetic where {@link Normalisation} has checked
 * that it gives the bits of the table, else by the table. Vectors of the two lengths share no method: one that has seen both is no longer
 * compiled into its callers, and vectors would be objects.
 */
record FloatElements(Normalisation normalisation) implements Elements {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int LANES = Lanes.COUNT;
    private static final int NARROW = Lanes.NARROW;
    private static final long BYTES = Float.BYTES;

    @Override
    public int bytes() {
        return Float.BYTES;
    }

    @Override
    public void square(int channel, long in, long stride, int side, long out, long copyBytes) {
        if (side >= NARROW && side <= 2 * NARROW && normalisation.dividesByReciprocal()) {
            lines(
                    normalisation.mean(channel),
                    normalisation.std(channel),
                    normalisation.reciprocal(channel),
                    in,
                    stride,
                    side,
                    out,
                    copyBytes);
        } else {
            for (int y = 0; y < side; y++) {
                run(channel, in + y * stride, side, out + BYTES * y * side);
                run(channel, in + y * stride, side, out + copyBytes + BYTES * y * side);
            }
        }
    }

    @Override
    public void run(int channel, long in, int count, long out) {
        if (count >= LANES && normalisation.dividesByReciprocal()) {
            line(
                    normalisation.mean(channel),
                    normalisation.std(channel),
                    normalisation.reciprocal(channel),
                    in,
                    count,
                    out);
        } else {
            for (int i = 0; i < count; i++) {
                set(out + BYTES * i, channel, in + i);
            }
        }
    }

    @Override
    public void pixels(long in, long plane, int count, long out) {
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                set(out + BYTES * (3L * i + c), c, in + c * plane + i);
            }
        }
    }

    private void set(long out, int channel, long in) {
        int level = Scratch.MEMORY.get(JAVA_BYTE, in) & 0xff;
        Scratch.MEMORY.set(JAVA_FLOAT_UNALIGNED, out, normalisation.value(channel, level));
    }

    /** The last vector ends with the line and may overlap the one before. */
    private static void line(
            float mean, float std, float reciprocal, long in, int count, long out) {
        FloatVector divisor = FloatVector.broadcast(Lanes.FLOATS, -std);
        FloatVector factor = FloatVector.broadcast(Lanes.FLOATS, reciprocal);
        int last = count - LANES;
        for (int i = 0; i < count; i += LANES) {
            int x = Math.min(i, last);
            FloatVector difference =
                    ((FloatVector)
                                    ByteVector.fromMemorySegment(
                                                    Lanes.LEVELS, Scratch.MEMORY, in + x, ORDER)
                                            .convertShape(
                                                    VectorOperators.ZERO_EXTEND_B2I, Lanes.INTS, 0)
                                            .convertShape(VectorOperators.I2F, Lanes.FLOATS, 0))
                            .sub(mean);
            FloatVector quotient = difference.mul(factor);
            FloatVector remainder = quotient.fma(divisor, difference);
            remainder
                    .fma(factor, quotient)
                    .intoMemorySegment(Scratch.MEMORY, out + BYTES * x, ORDER);
        }
    }

    /** Two narrow vectors make a line; they may overlap. */
    private static void lines(
            float mean,
            float std,
            float reciprocal,
            long in,
            long stride,
            int side,
            long out,
            long copy) {
        FloatVector divisor = FloatVector.broadcast(Lanes.NARROW_FLOATS, -std);
        FloatVector factor = FloatVector.broadcast(Lanes.NARROW_FLOATS, reciprocal);
        int second = side - NARROW;
        long from = in;
        long to = out;
        for (int y = 0; y < side; y++) {
            FloatVector left =
                    ((FloatVector)
                                    ByteVector.fromMemorySegment(
                                                    Lanes.NARROW_LEVELS,
                                                    Scratch.MEMORY,
                                                    from,
                                                    ORDER)
                                            .convertShape(
                                                    VectorOperators.ZERO_EXTEND_B2I,
                                                    Lanes.NARROW_INTS,
                                                    0)
                                            .convertShape(
                                                    VectorOperators.I2F, Lanes.NARROW_FLOATS, 0))
                            .sub(mean);
            FloatVector right =
                    ((FloatVector)
                                    ByteVector.fromMemorySegment(
                                                    Lanes.NARROW_LEVELS,
                                                    Scratch.MEMORY,
                                                    from + second,
                                                    ORDER)
                                            .convertShape(
                                                    VectorOperators.ZERO_EXTEND_B2I,
                                                    Lanes.NARROW_INTS,
                                                    0)
                                            .convertShape(
                                                    VectorOperators.I2F, Lanes.NARROW_FLOATS, 0))
                            .sub(mean);
            FloatVector leftQuotient = left.mul(factor);
            FloatVector rightQuotient = right.mul(factor);
            left = leftQuotient.fma(divisor, left).fma(factor, leftQuotient);
            right = rightQuotient.fma(divisor, right).fma(factor, rightQuotient);
            left.intoMemorySegment(Scratch.MEMORY, to, ORDER);
            right.intoMemorySegment(Scratch.MEMORY, to + BYTES * second, ORDER);
            left.intoMemorySegment(Scratch.MEMORY, to + copy, ORDER);
            right.intoMemorySegment(Scratch.MEMORY, to + copy + BYTES * second, ORDER);
            from += stride;
            to += BYTES * side;
        }
    }
}
