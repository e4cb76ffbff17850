package io.headrace.engine.plan.balance;

import io.headrace.engine.recipe.PlanSpec;
import java.util.Arrays;

/**
 * Puts items into bins, the same number into each, so that the heaviest bin is as light as the method can make it, and never heavier
 * than dealing them out in turn would. Karmarkar-Karp tries greedy too and is never heavier than that, since differencing alone is weak
 * where one item outweighs a bin. Costs are integers, so sums are exact and equal input gives equal output.
 */
public final class Balancer {

    private Balancer() {}

    /**
     * The bin of each item.
     *
     * @param costs cost of each item, 0 or more, of a sum below 2^62
     * @throws IllegalArgumentException if the items do not divide by the bins
     */
    public static int[] assign(PlanSpec.Method method, long[] costs, int bins) {
        if (bins < 1 || costs.length % bins != 0) {
            throw new IllegalArgumentException(
                    "%d items do not divide by %d bins".formatted(costs.length, bins));
        }
        int[] inTurn = inTurn(costs.length, bins);
        if (bins == 1 || bins == costs.length) {
            return inTurn;
        }
        return switch (method) {
            case ROUND_ROBIN -> inTurn;
            case GREEDY -> lighter(costs, bins, greedy(costs, bins), inTurn);
            case KARMARKAR_KARP -> {
                int[] differenced = Swaps.improve(costs, Differencing.assign(costs, bins), bins);
                int[] best = lighter(costs, bins, differenced, greedy(costs, bins));
                yield lighter(costs, bins, best, inTurn);
            }
        };
    }

    private static int[] greedy(long[] costs, int bins) {
        return Swaps.improve(costs, Greedy.assign(costs, bins), bins);
    }

    /** The first of equals. */
    private static int[] lighter(long[] costs, int bins, int[] first, int[] second) {
        long ofFirst = Loads.max(Loads.of(costs, first, bins));
        return ofFirst <= Loads.max(Loads.of(costs, second, bins)) ? first : second;
    }

    private static int[] inTurn(int items, int bins) {
        int[] binOf = new int[items];
        for (int item = 0; item < items; item++) {
            binOf[item] = item % bins;
        }
        return binOf;
    }

    /** Items from the dearest to the cheapest, the first of equals first. */
    static int[] dearestFirst(long[] costs) {
        Integer[] items = new Integer[costs.length];
        for (int item = 0; item < items.length; item++) {
            items[item] = item;
        }
        Arrays.sort(items, (a, b) -> Long.compare(costs[b], costs[a]));
        int[] sorted = new int[items.length];
        for (int place = 0; place < sorted.length; place++) {
            sorted[place] = items[place];
        }
        return sorted;
    }
}
