package io.headrace.engine.plan.balance;

import java.util.Arrays;

/**
 * Local search: swaps an item of the heaviest bin with a cheaper one of another, so that the heavier of the two becomes as light as
 * it can, the lightest bins tried first. It ends when the heaviest bin is next to the mean, when no swap helps it, or after a bounded
 * number of trials. Each swap lowers the sum of squared loads, so it ends in any case; counts stay as they are.
 */
final class Swaps {

    /** Pairs and bins looked at: some tens of milliseconds. */
    private static final long MAX_TRIALS = 4_000_000;

    /** What is left between the heaviest bin and the mean when it is good enough: one part in this many of the mean. */
    private static final long CLOSE_PARTS = 2048;

    private final long[] costs;
    private final int[][] items;
    private final long[] loads;
    private final long closeEnough;
    private long trials;

    private Swaps(long[] costs, int[] binOf, int bins) {
        this.costs = costs;
        this.items = new int[bins][costs.length / bins];
        int[] filled = new int[bins];
        for (int item = 0; item < costs.length; item++) {
            items[binOf[item]][filled[binOf[item]]++] = item;
        }
        this.loads = Loads.of(costs, binOf, bins);
        long mean = Math.ceilDiv(Arrays.stream(loads).sum(), bins);
        this.closeEnough = mean + mean / CLOSE_PARTS;
    }

    static int[] improve(long[] costs, int[] binOf, int bins) {
        Swaps swaps = new Swaps(costs, binOf, bins);
        boolean improved = true;
        while (improved && swaps.trials < MAX_TRIALS) {
            improved = swaps.relieveHeaviest();
        }
        return swaps.binOf();
    }

    private boolean relieveHeaviest() {
        Integer[] lightestFirst = new Integer[loads.length];
        Arrays.setAll(lightestFirst, bin -> bin);
        Arrays.sort(lightestFirst, (a, b) -> Long.compare(loads[a], loads[b]));
        trials += loads.length;
        int heaviest = lightestFirst[loads.length - 1];
        if (loads[heaviest] <= closeEnough) {
            return false;
        }
        for (int bin : lightestFirst) {
            if (loads[bin] >= loads[heaviest]) {
                return false;
            }
            if (swapBest(heaviest, bin)) {
                return true;
            }
        }
        return false;
    }

    /** Makes the swap that leaves the heavier of two bins lightest; false if none makes it lighter than {@code heavy} is. */
    private boolean swapBest(int heavy, int light) {
        long best = loads[heavy];
        int bestHeavy = -1;
        int bestLight = -1;
        for (int h = 0; h < items[heavy].length; h++) {
            long cost = costs[items[heavy][h]];
            for (int l = 0; l < items[light].length; l++) {
                long moved = cost - costs[items[light][l]];
                long worse = Math.max(loads[heavy] - moved, loads[light] + moved);
                if (worse < best) {
                    best = worse;
                    bestHeavy = h;
                    bestLight = l;
                }
            }
        }
        trials += (long) items[heavy].length * items[light].length;
        if (bestHeavy < 0) {
            return false;
        }
        swap(heavy, bestHeavy, light, bestLight);
        return true;
    }

    private void swap(int heavy, int h, int light, int l) {
        int item = items[heavy][h];
        long moved = costs[item] - costs[items[light][l]];
        items[heavy][h] = items[light][l];
        items[light][l] = item;
        loads[heavy] -= moved;
        loads[light] += moved;
    }

    private int[] binOf() {
        int[] binOf = new int[costs.length];
        for (int bin = 0; bin < items.length; bin++) {
            for (int item : items[bin]) {
                binOf[item] = bin;
            }
        }
        return binOf;
    }
}
