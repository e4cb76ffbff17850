package io.headrace.media.resize;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector shapes of all kernels. One vector holds {@link #COUNT} levels as 32-bit integers; the same levels as bytes or shorts take a
 * smaller vector, of at least 64 bits, whose first {@code COUNT} lanes are used.
 */
public final class Lanes {
    public static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    public static final int COUNT = INTS.length();

    /** Bytes of a full vector. */
    public static final int BYTES = COUNT * Integer.BYTES;

    public static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, INTS.vectorShape());
    public static final VectorSpecies<Byte> LEVELS =
            VectorSpecies.of(byte.class, shape(COUNT * Byte.SIZE));
    public static final VectorSpecies<Short> HALVES =
            VectorSpecies.of(short.class, shape(COUNT * Short.SIZE));

    /** Lanes of a vector that fits a line of 14 levels. */
    public static final int NARROW = Math.min(COUNT, 8);

    public static final VectorSpecies<Integer> NARROW_INTS =
            VectorSpecies.of(int.class, shape(NARROW * Integer.SIZE));
    public static final VectorSpecies<Float> NARROW_FLOATS =
            VectorSpecies.of(float.class, shape(NARROW * Float.SIZE));
    public static final VectorSpecies<Byte> NARROW_LEVELS =
            VectorSpecies.of(byte.class, shape(NARROW * Byte.SIZE));
    public static final VectorSpecies<Short> NARROW_HALVES =
            VectorSpecies.of(short.class, shape(NARROW * Short.SIZE));

    private Lanes() {}

    private static VectorShape shape(int bits) {
        return VectorShape.forBitSize(Math.max(bits, ByteVector.SPECIES_64.vectorBitSize()));
    }
}
