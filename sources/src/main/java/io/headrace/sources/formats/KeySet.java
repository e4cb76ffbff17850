package io.headrace.sources.formats;

/**
 * The keys that were seen, as 64-bit hashes in an open-addressed table: 16 to 32 bytes a key. Two keys of one hash count as the same,
 * which among ten million keys happens once in 400,000 shards. Not thread-safe.
 */
final class KeySet {

    private static final int FIRST_SLOTS = 1 << 10;
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private long[] slots = new long[FIRST_SLOTS];
    private int size;

    void add(String key) {
        if (size * 2 >= slots.length) {
            grow();
        }
        if (insert(slots, hash(key))) {
            size++;
        }
    }

    boolean contains(String key) {
        long hash = hash(key);
        int mask = slots.length - 1;
        for (int i = (int) hash & mask; slots[i] != 0; i = (i + 1) & mask) {
            if (slots[i] == hash) {
                return true;
            }
        }
        return false;
    }

    private static boolean insert(long[] slots, long hash) {
        int mask = slots.length - 1;
        int i = (int) hash & mask;
        while (slots[i] != 0) {
            if (slots[i] == hash) {
                return false;
            }
            i = (i + 1) & mask;
        }
        slots[i] = hash;
        return true;
    }

    private void grow() {
        long[] larger = new long[slots.length * 2];
        for (long hash : slots) {
            if (hash != 0) {
                insert(larger, hash);
            }
        }
        slots = larger;
    }

    /** FNV-1a over the characters, then the finalizer of MurmurHash3; never 0. */
    private static long hash(String key) {
        long h = FNV_BASIS;
        for (int i = 0; i < key.length(); i++) {
            h = (h ^ key.charAt(i)) * FNV_PRIME;
        }
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return h == 0 ? 1 : h;
    }
}
