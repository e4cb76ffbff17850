package io.headrace.engine.plan.order;

/**
 * Mixes 64-bit integers: the output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), whose constants are variant 13 of D. Stafford's finalisers of MurmurHash3. Changing it changes the
 * ORDER of every job.
 */
public final class Hash64 {

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private Hash64() {}

    /** A bijection of the 64-bit integers, each output bit of which depends on each input bit. */
    public static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The {@code index}-th output of the SplitMix64 stream of {@code key}; a key of its own where things nest. */
    public static long derive(long key, long index) {
        return mix(key + GOLDEN_RATIO * (index + 1));
    }
}
