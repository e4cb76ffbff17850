package io.headrace.engine.plan.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The largest differencing method of N. Karmarkar and R. M. Karp (UCB/CSD 82/113, 1982) over many bins of equal count, in the
 * balanced form of W. Michiels et al. ("Performance ratios for the differencing method", 2003): items sorted by cost are cut into
 * groups of one item a bin; the two groups of the largest spread are joined, heavy bins of one with light bins of the other, until
 * one is left. Counts are equal by construction.
 */
final class Differencing {

    private static final int NONE = -1;

    private final long[] costs;
    private final int bins;

    /** The items of a bin as a chain: the item after each. */
    private final int[] next;

    private Differencing(long[] costs, int bins) {
        this.costs = costs;
        this.bins = bins;
        this.next = new int[costs.length];
        Arrays.fill(next, NONE);
    }

    private record Bin(long load, int first, int last) {}

    /** A partial solution: its bins, the heaviest first. */
    private record Group(List<Bin> bins, int number) {
        long spread() {
            return bins.getFirst().load - bins.getLast().load;
        }
    }

    static int[] assign(long[] costs, int bins) {
        return new Differencing(costs, bins).solve();
    }

    private int[] solve() {
        PriorityQueue<Group> groups =
                new PriorityQueue<>(
                        Comparator.comparingLong(Group::spread)
                                .reversed()
                                .thenComparingInt(Group::number));
        int[] sorted = Balancer.dearestFirst(costs);
        for (int from = 0; from < sorted.length; from += bins) {
            List<Bin> single = new ArrayList<>(bins);
            for (int bin = 0; bin < bins; bin++) {
                int item = sorted[from + bin];
                single.add(new Bin(costs[item], item, item));
            }
            groups.add(new Group(single, from));
        }
        while (groups.size() > 1) {
            groups.add(join(groups.remove(), groups.remove()));
        }
        return binOf(groups.remove());
    }

    private Group join(Group a, Group b) {
        List<Bin> joined = new ArrayList<>(bins);
        for (int i = 0; i < bins; i++) {
            Bin heavy = a.bins.get(i);
            Bin light = b.bins.get(bins - 1 - i);
            next[heavy.last] = light.first;
            joined.add(new Bin(heavy.load + light.load, heavy.first, light.last));
        }
        joined.sort(Comparator.comparingLong(Bin::load).reversed());
        return new Group(joined, Math.min(a.number, b.number));
    }

    private int[] binOf(Group solution) {
        int[] binOf = new int[costs.length];
        for (int bin = 0; bin < bins; bin++) {
            for (int item = solution.bins.get(bin).first; item != NONE; item = next[item]) {
                binOf[item] = bin;
            }
        }
        return binOf;
    }
}
