package io.headrace.engine.plan.balance;

/** Sums of the costs of each bin. */
public final class Loads {

    private Loads() {}

    /**
     * Load of each bin.
     *
     * @param binOf the bin of each item
     */
    public static long[] of(long[] costs, int[] binOf, int bins) {
        long[] loads = new long[bins];
        for (int item = 0; item < costs.length; item++) {
            loads[binOf[item]] += costs[item];
        }
        return loads;
    }

    /** The heaviest load. */
    public static long max(long[] loads) {
        long max = loads[0];
        for (long load : loads) {
            max = Math.max(max, load);
        }
        return max;
    }
}
