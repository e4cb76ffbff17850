package io.headrace.engine.plan;

import io.headrace.engine.recipe.MixtureSpec;

/**
 * Which source is next. A source's credit is what it was owed so far less what it got, in units of 1 / {@link Weights#WHOLE} sample
 * or token; credits add up to 0. Decisions are in integers throughout.
 *
 * <p>By samples: the source whose next sample is due first, among those whose share of it has begun (R. Tijdeman, "The chairman
 * assignment problem", Discrete Mathematics 32, 1980; the due times are those of Pfair scheduling, Baruah et al., Algorithmica 15,
 * 1996). At every prefix each credit stays strictly between -1 and 1 sample for any number of sources, since a fractional schedule
 * keeps all due times and earliest-due-first finds an integral one. This needs due times that hold: they look ahead over ramps and
 * stages where a step's number of draws is known, and count on today's weights where it is not.
 *
 * <p>By tokens: of the sources whose next sample has begun in the ideal flow, that one whose sample ends first there (WF2Q, Bennett
 * and Zhang, INFOCOM 1996): no source is ahead by more than one sample of its own, nor behind by more than the longest of any.
 */
final class Mixture {

    /** Changes of weights that a due time looks over; beyond, it counts on the weights reached. */
    private static final int MAX_CHANGES_AHEAD = 64;

    private final Weights weights;
    private final MixtureSpec spec;
    private final int drawsPerStep;

    /**
     * @param drawsPerStep samples of each step; 0 if not known ahead
     */
    Mixture(Weights weights, MixtureSpec spec, int drawsPerStep) {
        this.weights = weights;
        this.spec = spec;
        this.drawsPerStep = drawsPerStep;
    }

    boolean byTokens() {
        return spec.unit() == MixtureSpec.Unit.TOKENS;
    }

    boolean endsWithFirst() {
        return spec.exhaustion() == MixtureSpec.Exhaustion.STOP_FIRST;
    }

    /**
     * The source of the next sample, one of positive weight.
     *
     * @param now the weights of the step over the open sources
     * @param sizes length of each open source's next sample in units of the mixture: 1, or tokens
     * @param drawsLeft draws that the step still has, this one included
     */
    int pick(long step, long[] credits, long[] now, boolean[] open, long[] sizes, int drawsLeft) {
        return switch (spec.unit()) {
            case SAMPLES -> firstDue(step, credits, now, open, drawsLeft);
            case TOKENS -> firstToEnd(credits, now, sizes);
        };
    }

    /** Counts a sample of {@code size} units to {@code source}. */
    static void credit(long[] credits, long[] now, int source, long size) {
        for (int i = 0; i < credits.length; i++) {
            credits[i] += now[i] * size;
        }
        credits[source] -= Weights.WHOLE * size;
    }

    private int firstDue(long step, long[] credits, long[] now, boolean[] open, int drawsLeft) {
        long[] needs = new long[credits.length];
        for (int i = 0; i < needs.length; i++) {
            long owed = credits[i] + now[i];
            needs[i] = now[i] > 0 && owed > 0 ? Math.max(0, Weights.WHOLE - owed) : -1;
        }
        long at = step;
        long[] then = now;
        int first = firstDueAt(needs, then);
        if (drawsPerStep == 0) {
            return first;
        }
        for (int change = 0; change < MAX_CHANGES_AHEAD; change++) {
            long until = weights.constantUntil(at);
            if (until == Long.MAX_VALUE) {
                break;
            }
            long draws =
                    (until - at - 1) * drawsPerStep + (at == step ? drawsLeft - 1 : drawsPerStep);
            if (Math.ceilDiv(needs[first], then[first]) <= draws) {
                break;
            }
            long[] next = weights.at(until, open);
            if (leaves(then, next)) {
                break;
            }
            for (int i = 0; i < needs.length; i++) {
                needs[i] -= needs[i] < 0 ? 0 : draws * then[i];
            }
            at = until;
            then = next;
            first = firstDueAt(needs, then);
        }
        return first;
    }

    /** The source with the fewest draws to its due time; needs below 0 mark sources that may not be drawn. */
    private static int firstDueAt(long[] needs, long[] weights) {
        int best = -1;
        long bestDraws = Long.MAX_VALUE;
        for (int i = 0; i < needs.length; i++) {
            if (needs[i] >= 0) {
                long draws = Math.ceilDiv(needs[i], weights[i]);
                if (draws < bestDraws) {
                    best = i;
                    bestDraws = draws;
                }
            }
        }
        return best;
    }

    private static boolean leaves(long[] now, long[] next) {
        for (int i = 0; i < now.length; i++) {
            if (now[i] > 0 && next[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private static int firstToEnd(long[] credits, long[] weights, long[] sizes) {
        int best = -1;
        long bestNeed = 0;
        for (int i = 0; i < credits.length; i++) {
            if (weights[i] > 0 && credits[i] >= 0) {
                long need = sizes[i] * Weights.WHOLE - credits[i];
                if (best < 0 || productIsLess(need, weights[best], bestNeed, weights[i])) {
                    best = i;
                    bestNeed = need;
                }
            }
        }
        return best;
    }

    /** Whether a * b is less than c * d, in 128 bits. */
    private static boolean productIsLess(long a, long b, long c, long d) {
        long high = Math.multiplyHigh(a, b);
        long otherHigh = Math.multiplyHigh(c, d);
        return high != otherHigh ? high < otherHigh : Long.compareUnsigned(a * b, c * d) < 0;
    }
}
