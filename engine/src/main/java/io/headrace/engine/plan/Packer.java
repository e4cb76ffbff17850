package io.headrace.engine.plan;

import io.headrace.engine.plan.Draws.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Best fit under a length cap: a sample goes into the fullest pack that still has room for it, the first of equals. Mutable, for one
 * step; deterministic in the order of offers.
 */
final class Packer {

    /** Stable, so that equals keep their order. */
    static final Comparator<Candidate> LONGEST_FIRST =
            Comparator.comparingInt(candidate -> -Draws.lengthTokens(candidate.features()));

    private final int lengthTokens;
    private final List<List<Candidate>> packs = new ArrayList<>();

    /** Room of every pack that has any, as room * 2^32 + pack. */
    private final TreeSet<Long> rooms = new TreeSet<>();

    Packer(int packs, int lengthTokens) {
        this.lengthTokens = lengthTokens;
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

    /**
     * The same samples over all packs alike, the longest first into the emptiest pack, for a last step that does not fill its packs; as
     * they are if that leaves one without room.
     */
    List<List<Candidate>> spread() {
        PriorityQueue<Long> emptiest = new PriorityQueue<>();
        List<List<Candidate>> spread = new ArrayList<>();
        for (int pack = 0; pack < packs.size(); pack++) {
            spread.add(new ArrayList<>());
            emptiest.add(key(0, pack));
        }
        for (Candidate candidate :
                packs.stream().flatMap(List::stream).sorted(LONGEST_FIRST).toList()) {
            long pack = emptiest.remove();
            int used = (int) (pack >> 32) + Draws.lengthTokens(candidate.features());
            if (used > lengthTokens) {
                return packs;
            }
            spread.get((int) pack).add(candidate);
            emptiest.add(key(used, (int) pack));
        }
        return spread;
    }

    private static long key(int tokens, int pack) {
        return ((long) tokens << 32) | pack;
    }
}
