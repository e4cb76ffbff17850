package io.headrace.engine.plan.order;

/**
 * A seeded permutation of 0 to size - 1 that stores nothing but its keys: each value is computed in constant time.
 *
 * <p>A Feistel network over the mixed radix {@code left + lefts * right}, addition taking the place of exclusive or, with cycle
 * walking back into the domain (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). The sides are near the
 * square root of the size, so fewer than {@code lefts} values lie outside and a walk is short. It is statistically even, as its test
 * measures, and no cipher.
 */
public final class Permutation {

    private static final int ROUNDS = 8;

    /** Few values have few shifts a round to mix them, so they get more rounds. */
    private static final int SMALL_ROUNDS = 24;

    private static final long SMALL = 256;

    private final long size;
    private final long lefts;
    private final long rights;
    private final long[] keys;

    public Permutation(long size, long seed) {
        if (size < 1) {
            throw new IllegalArgumentException("Permutation of " + size + " values; needed: 1");
        }
        this.size = size;
        this.lefts = ceilOfSquareRoot(size);
        this.rights = Math.ceilDiv(size, lefts);
        this.keys = new long[size < SMALL ? SMALL_ROUNDS : ROUNDS];
        for (int round = 0; round < keys.length; round++) {
            keys[round] = Hash64.derive(seed, round);
        }
    }

    /** The value at a place. */
    public long apply(long place) {
        long value = checked(place);
        do {
            value = forward(value);
        } while (value >= size);
        return value;
    }

    /** The place of a value: {@code invert(apply(i)) == i}. */
    public long invert(long value) {
        long place = checked(value);
        do {
            place = backward(place);
        } while (place >= size);
        return place;
    }

    private long forward(long value) {
        long right = value / lefts;
        long left = value - right * lefts;
        for (int round = 0; round < keys.length; round += 2) {
            left += shift(round, right, lefts);
            left -= left >= lefts ? lefts : 0;
            right += shift(round + 1, left, rights);
            right -= right >= rights ? rights : 0;
        }
        return left + lefts * right;
    }

    private long backward(long value) {
        long right = value / lefts;
        long left = value - right * lefts;
        for (int round = keys.length - 2; round >= 0; round -= 2) {
            right -= shift(round + 1, left, rights);
            right += right < 0 ? rights : 0;
            left -= shift(round, right, lefts);
            left += left < 0 ? lefts : 0;
        }
        return left + lefts * right;
    }

    /** The round function: 0 to bound - 1, from the high bits of a hash. */
    private long shift(int round, long input, long bound) {
        return Math.unsignedMultiplyHigh(Hash64.mix(keys[round] ^ input), bound);
    }

    private long checked(long value) {
        if (value < 0 || value >= size) {
            throw new IndexOutOfBoundsException(value + " of a permutation of " + size);
        }
        return value;
    }

    private static long ceilOfSquareRoot(long size) {
        long root = (long) Math.sqrt((double) size);
        while (root * root < size) {
            root++;
        }
        while ((root - 1) * (root - 1) >= size) {
            root--;
        }
        return root;
    }
}
