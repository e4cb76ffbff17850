package io.headrace.engine.plan.balance;

import java.util.Arrays;

/**
 * The lightest possible heaviest bin under equal counts, by branch and bound: the dearest item first, bins in a like state tried once,
 * branches cut that cannot beat the best found. Exponential; for a few items.
 */
final class Optimum {

    private final long[] costs;
    private final int cap;
    private final long[] loads;
    private final int[] counts;
    private final long bound;
    private long best = Long.MAX_VALUE;

    Optimum(long[] costs, int bins) {
        this.costs = costs.clone();
        Arrays.sort(this.costs);
        this.cap = costs.length / bins;
        this.loads = new long[bins];
        this.counts = new int[bins];
        this.bound = Math.ceilDiv(Arrays.stream(costs).sum(), bins);
    }

    long heaviest() {
        place(costs.length - 1);
        return best;
    }

    private void place(int item) {
        if (item < 0) {
            best = Math.min(best, Loads.max(loads));
            return;
        }
        for (int bin = 0; bin < loads.length && best > bound; bin++) {
            if (counts[bin] < cap && loads[bin] + costs[item] < best && !likeAnEarlier(bin)) {
                loads[bin] += costs[item];
                counts[bin]++;
                place(item - 1);
                counts[bin]--;
                loads[bin] -= costs[item];
            }
        }
    }

    private boolean likeAnEarlier(int bin) {
        for (int other = 0; other < bin; other++) {
            if (loads[other] == loads[bin] && counts[other] == counts[bin]) {
                return true;
            }
        }
        return false;
    }
}
