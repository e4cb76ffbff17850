package io.headrace.engine.plan.balance;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The dearest item first, each into the lightest bin that still has a place (R. L. Graham, "Bounds on multiprocessing timing
 * anomalies", SIAM J. Appl. Math. 17, 1969, with equal counts as a cap).
 */
final class Greedy {

    private Greedy() {}

    private record Bin(long load, int number, int items) {}

    static int[] assign(long[] costs, int bins) {
        int cap = costs.length / bins;
        int[] binOf = new int[costs.length];
        PriorityQueue<Bin> lightest =
                new PriorityQueue<>(
                        Comparator.comparingLong(Bin::load).thenComparingInt(Bin::number));
        for (int bin = 0; bin < bins; bin++) {
            lightest.add(new Bin(0, bin, 0));
        }
        for (int item : Balancer.dearestFirst(costs)) {
            Bin bin = lightest.remove();
            binOf[item] = bin.number;
            if (bin.items + 1 < cap) {
                lightest.add(new Bin(bin.load + costs[item], bin.number, bin.items + 1));
            }
        }
        return binOf;
    }
}
