package io.headrace.media.process;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector shapes of all kernels. One vector holds {@link #COUNT} levels as 32-bit integers; the same levels as bytes or shorts take a
 * smaller vector, of at least 64 bits, whose first {@code COUNT} lanes are used.
 */
final class Lanes {
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    static final int COUNT = INTS.length();

    /** Bytes of a full vector. */
    static final int BYTES = COUNT * Integer.BYTES;

    static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, INTS.vectorShape());
    static final VectorSpecies<Byte> LEVELS =
            VectorSpecies.of(byte.class, shape(COUNT * Byte.SIZE));
    static final VectorSpecies<Short> HALVES =
            VectorSpecies.of(short.class, shape(COUNT * Short.SIZE));

    private Lanes() {}

    private static VectorShape shape(int bits) {
        return VectorShape.forBitSize(Math.max(bits, ByteVector.SPECIES_64.vectorBitSize()));
    }
}
