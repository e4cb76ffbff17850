package io.headrace.engine.plan;

import io.headrace.engine.plan.Draws.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Best fit under a length cap: a sample goes into the fullest pack that still has room for it, the first of equals. Mutable, for one
 * step; deterministic in the order of offers.
 */
final class Packer {

    private final List<List<Candidate>> packs = new ArrayList<>();

    /** Room of every pack that has any, as room * 2^32 + pack. */
    private final TreeSet<Long> rooms = new TreeSet<>();

    Packer(int packs, int lengthTokens) {
        for (int pack = 0; pack < packs; pack++) {
            this.packs.add(new ArrayList<>());
            rooms.add(key(lengthTokens, pack));
        }
    }

    /** Places a sample; false if no pack has room for it. */
    boolean offer(Candidate candidate) {
        int length = Draws.lengthTokens(candidate.features());
        Long found = rooms.ceiling(key(length, 0));
        if (found == null) {
            return false;
        }
        rooms.remove(found);
        int pack = found.intValue();
        int room = (int) (found >> 32) - length;
        if (room > 0) {
            rooms.add(key(room, pack));
        }
        packs.get(pack).add(candidate);
        return true;
    }

    /** Whether no pack has any room. */
    boolean full() {
        return rooms.isEmpty();
    }

    List<List<Candidate>> packs() {
        return packs;
    }

    private static long key(int room, int pack) {
        return ((long) room << 32) | pack;
    }
}
