package io.headrace.media.resize;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;

/**
 * Turns a square of 32-bit words over: as many rows as a vector has lanes. With 16 lanes it takes two rounds of 4 x 4, first of words
 * inside 128-bit blocks and then of the blocks, through scratch memory, so that neither kernel holds many vectors; with fewer lanes words
 * are moved one by one. Not thread-safe.
 */
final class Transpose {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int BYTES = Lanes.BYTES;

    private static final IntVector LOW_WORDS = pairs(0);
    private static final IntVector HIGH_WORDS = pairs(2);
    private static final IntVector LOW_DOUBLES = doubles(0);
    private static final IntVector HIGH_DOUBLES = doubles(2);
    private static final IntVector LOW_BLOCKS = blocks(0);
    private static final IntVector HIGH_BLOCKS = blocks(8);
    private static final IntVector LOW_HALVES = halves(0);
    private static final IntVector HIGH_HALVES = halves(8);

    private final Scratch scratch = new Scratch();
    private final long between = scratch.address(16L * BYTES);

    /** Row {@code i} starts at {@code from[i] + offset}; column {@code i} goes to {@code to[i] + toOffset}. */
    void turn(long[] from, long offset, long[] to, long toOffset) {
        if (Lanes.COUNT == 16) {
            for (int group = 0; group < 4; group++) {
                words(from, 4 * group, offset, between + (long) group * BYTES);
            }
            for (int column = 0; column < 4; column++) {
                blocks(between + 4L * column * BYTES, to, column, toOffset);
            }
        } else {
            oneByOne(from, offset, to, toOffset);
        }
    }

    private static void words(long[] from, int row, long offset, long out) {
        IntVector a =
                IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, from[row] + offset, ORDER);
        IntVector b =
                IntVector.fromMemorySegment(
                        Lanes.INTS, Scratch.MEMORY, from[row + 1] + offset, ORDER);
        IntVector c =
                IntVector.fromMemorySegment(
                        Lanes.INTS, Scratch.MEMORY, from[row + 2] + offset, ORDER);
        IntVector d =
                IntVector.fromMemorySegment(
                        Lanes.INTS, Scratch.MEMORY, from[row + 3] + offset, ORDER);
        IntVector ab = LOW_WORDS.selectFrom(a, b);
        IntVector ab2 = HIGH_WORDS.selectFrom(a, b);
        IntVector cd = LOW_WORDS.selectFrom(c, d);
        IntVector cd2 = HIGH_WORDS.selectFrom(c, d);
        LOW_DOUBLES.selectFrom(ab, cd).intoMemorySegment(Scratch.MEMORY, out, ORDER);
        HIGH_DOUBLES.selectFrom(ab, cd).intoMemorySegment(Scratch.MEMORY, out + 4L * BYTES, ORDER);
        LOW_DOUBLES.selectFrom(ab2, cd2).intoMemorySegment(Scratch.MEMORY, out + 8L * BYTES, ORDER);
        HIGH_DOUBLES
                .selectFrom(ab2, cd2)
                .intoMemorySegment(Scratch.MEMORY, out + 12L * BYTES, ORDER);
    }

    private static void blocks(long in, long[] to, int column, long offset) {
        IntVector a = IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, in, ORDER);
        IntVector b = IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, in + BYTES, ORDER);
        IntVector c =
                IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, in + 2L * BYTES, ORDER);
        IntVector d =
                IntVector.fromMemorySegment(Lanes.INTS, Scratch.MEMORY, in + 3L * BYTES, ORDER);
        IntVector ab = LOW_BLOCKS.selectFrom(a, b);
        IntVector ab2 = HIGH_BLOCKS.selectFrom(a, b);
        IntVector cd = LOW_BLOCKS.selectFrom(c, d);
        IntVector cd2 = HIGH_BLOCKS.selectFrom(c, d);
        LOW_HALVES.selectFrom(ab, cd).intoMemorySegment(Scratch.MEMORY, to[column] + offset, ORDER);
        HIGH_HALVES
                .selectFrom(ab, cd)
                .intoMemorySegment(Scratch.MEMORY, to[4 + column] + offset, ORDER);
        LOW_HALVES
                .selectFrom(ab2, cd2)
                .intoMemorySegment(Scratch.MEMORY, to[8 + column] + offset, ORDER);
        HIGH_HALVES
                .selectFrom(ab2, cd2)
                .intoMemorySegment(Scratch.MEMORY, to[12 + column] + offset, ORDER);
    }

    private static void oneByOne(long[] from, long offset, long[] to, long toOffset) {
        for (int row = 0; row < from.length; row++) {
            long in = from[row] + offset;
            for (int column = 0; column < to.length; column++) {
                int word = Scratch.MEMORY.get(JAVA_INT_UNALIGNED, in + 4L * column);
                Scratch.MEMORY.set(JAVA_INT_UNALIGNED, to[column] + toOffset + 4L * row, word);
            }
        }
    }

    /** In every block of four: the words at {@code low} and {@code low + 1} of both vectors, alternating. */
    private static IntVector pairs(int low) {
        return indices(i -> i / 4 * 4 + low + i % 4 / 2 + i % 2 * Lanes.COUNT);
    }

    /** In every block of four: the two words from {@code low} on of both vectors. */
    private static IntVector doubles(int low) {
        return indices(i -> i / 4 * 4 + low + i % 2 + i % 4 / 2 * Lanes.COUNT);
    }

    /** Two blocks of four from {@code low} on, of both vectors, alternating. */
    private static IntVector blocks(int low) {
        return indices(i -> (low + i / 8 * 4 + i % 4) % Lanes.COUNT + i / 4 % 2 * Lanes.COUNT);
    }

    /** The eight words from {@code low} on, of both vectors. */
    private static IntVector halves(int low) {
        return indices(i -> (low + i % 8) % Lanes.COUNT + i / 8 * Lanes.COUNT);
    }

    private static IntVector indices(java.util.function.IntUnaryOperator source) {
        int[] lanes = new int[Lanes.COUNT];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = source.applyAsInt(i);
        }
        return IntVector.fromArray(Lanes.INTS, lanes, 0);
    }
}
