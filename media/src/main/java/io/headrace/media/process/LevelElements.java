package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** The levels themselves, one byte each. */
record LevelElements() implements Elements {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_128;

    @Override
    public int bytes() {
        return Byte.BYTES;
    }

    @Override
    public void block(int channel, long in, long stride, int lines, int width, long out) {
        for (int y = 0; y < lines; y++) {
            long from = in + y * stride;
            long to = out + (long) y * width;
            for (int x = 0; x < width; x += SPECIES.length()) {
                ByteVector.fromMemorySegment(SPECIES, Scratch.MEMORY, from + x, ORDER)
                        .intoMemorySegment(Scratch.MEMORY, to + x, ORDER);
            }
        }
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
