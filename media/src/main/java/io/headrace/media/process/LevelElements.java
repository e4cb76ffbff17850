package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.media.resize.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** The levels themselves, one byte each. */
record LevelElements() implements Elements {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VectorSpecies<Byte> NARROW = ByteVector.SPECIES_64;

    @Override
    public int bytes() {
        return Byte.BYTES;
    }

    @Override
    public void square(int channel, long in, long stride, int side, long out, long copyBytes) {
        int second = side - NARROW.length();
        for (int y = 0; y < side; y++) {
            long from = in + y * stride;
            long to = out + (long) y * side;
            if (second < 0 || second > NARROW.length()) {
                run(channel, from, side, to);
                run(channel, from, side, to + copyBytes);
            } else {
                move(from, to, to + copyBytes);
                move(from + second, to + second, to + copyBytes + second);
            }
        }
    }

    private static void move(long from, long to, long copy) {
        ByteVector levels = ByteVector.fromMemorySegment(NARROW, Scratch.MEMORY, from, ORDER);
        levels.intoMemorySegment(Scratch.MEMORY, to, ORDER);
        levels.intoMemorySegment(Scratch.MEMORY, copy, ORDER);
    }

    @Override
    public void run(int channel, long in, int count, long out) {
        MemorySegment.copy(Scratch.MEMORY, in, Scratch.MEMORY, out, count);
    }

    @Override
    public void pixels(long in, long plane, int count, long out) {
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                byte level = Scratch.MEMORY.get(JAVA_BYTE, in + c * plane + i);
                Scratch.MEMORY.set(JAVA_BYTE, out + 3L * i + c, level);
            }
        }
    }
}
