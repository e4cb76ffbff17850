package io.headrace.engine.schedule.rebalance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether samples change ranks once their true sizes are known. Exchanges that relieve the heaviest rank are found one after the
 * other; of all numbers of them the one with the best net gain is chosen, if that is above a margin. The cost of an exchange is
 * {@code alpha + bytes / bandwidth}. The margin grows with the error of the predictions, and its fixed part is halved while the gate is open, so that it does not flutter. Not thread-safe.
 */
public final class RebalanceGate {

    private static final int MOST_EXCHANGES = 16;

    /** Partners of the heaviest rank that are tried: the lightest ones. */
    private static final int PARTNERS = 4;

    /** So many deviations of a load are taken for chance. */
    private static final double DOUBT_ERRORS = 2;

    private final Settings settings;
    private boolean open;

    /**
     * @param alphaNanos time of a transfer beside its bytes
     * @param bytesPerNano of a link
     * @param margin least net gain, as a share of the heaviest rank's time
     */
    public record Settings(double alphaNanos, double bytesPerNano, double margin) {}

    public RebalanceGate(Settings settings) {
        this.settings = settings;
    }

    /**
     * Decides for one step; ranks without any sample count as light.
     *
     * @param error usual relative error of the predicted costs: the heaviest of many ranks may only seem so
     */
    public Decision decide(long step, List<List<Piece>> ranks, double error) {
        List<List<Piece>> now = new ArrayList<>();
        ranks.forEach(rank -> now.add(sorted(rank)));
        double before = heaviest(now);
        List<Exchange> exchanges = new ArrayList<>();
        List<Candidate> candidates = new ArrayList<>();
        double cost = 0;
        while (exchanges.size() < MOST_EXCHANGES) {
            Exchange best = best(now);
            if (best == null) {
                break;
            }
            apply(now, best);
            exchanges.add(best);
            cost += settings.alphaNanos() + best.bytes() / settings.bytesPerNano();
            candidates.add(new Candidate(exchanges, before - heaviest(now), cost));
        }
        double doubt = DOUBT_ERRORS * error * deviation(ranks);
        double threshold = settings.margin() * before * (open ? 0.5 : 1) + doubt;
        Candidate chosen =
                candidates.stream()
                        .max(Comparator.comparingDouble(Candidate::netNanos))
                        .filter(candidate -> candidate.netNanos() > threshold)
                        .orElse(null);
        open = chosen != null;
        return new Decision(step, before, threshold, candidates, chosen);
    }

    /** By how much the load of a usual rank is off if each of its samples is off by its own cost, independently. */
    private static double deviation(List<List<Piece>> ranks) {
        double[] deviations =
                ranks.stream()
                        .mapToDouble(
                                rank ->
                                        Math.sqrt(
                                                rank.stream()
                                                        .mapToDouble(Piece::costNanos)
                                                        .map(cost -> cost * cost)
                                                        .sum()))
                        .sorted()
                        .toArray();
        return deviations.length == 0 ? 0 : deviations[deviations.length / 2];
    }

    private static List<Piece> sorted(List<Piece> rank) {
        List<Piece> sorted = new ArrayList<>(rank);
        sorted.sort(
                Comparator.comparingDouble(Piece::costNanos)
                        .thenComparingInt(Piece::rank)
                        .thenComparingInt(Piece::sequence));
        return sorted;
    }

    private static double load(List<Piece> rank) {
        return rank.stream().mapToDouble(Piece::costNanos).sum();
    }

    private static double heaviest(List<List<Piece>> ranks) {
        return ranks.stream().mapToDouble(RebalanceGate::load).max().orElse(0);
    }

    /** The exchange between the heaviest rank and a light one that leaves the heavier of both lightest. */
    private static @Nullable Exchange best(List<List<Piece>> ranks) {
        List<List<Piece>> byLoad = new ArrayList<>(ranks);
        byLoad.sort(Comparator.comparingDouble(RebalanceGate::load));
        List<Piece> heavy = byLoad.getLast();
        Exchange best = null;
        double bestNanos = load(heavy);
        for (List<Piece> light : byLoad.subList(0, Math.min(PARTNERS, byLoad.size() - 1))) {
            Exchange found = best(heavy, light);
            if (found != null) {
                double left = load(heavy) - found.shiftNanos();
                double worse = Math.max(left, load(light) + found.shiftNanos());
                if (worse < bestNanos) {
                    best = found;
                    bestNanos = worse;
                }
            }
        }
        return best;
    }

    /** Of two sorted ranks, the pair whose difference is nearest to half of the difference of the loads. */
    private static @Nullable Exchange best(List<Piece> heavy, List<Piece> light) {
        double wanted = (load(heavy) - load(light)) / 2;
        Exchange best = null;
        int at = 0;
        for (Piece piece : heavy) {
            while (at + 1 < light.size()
                    && light.get(at + 1).costNanos() <= piece.costNanos() - wanted) {
                at++;
            }
            for (int i = at; i < Math.min(at + 2, light.size()); i++) {
                Exchange pair = new Exchange(piece, light.get(i));
                boolean nearer = best == null || off(pair, wanted) < off(best, wanted);
                if (pair.shiftNanos() > 0 && nearer) {
                    best = pair;
                }
            }
        }
        return best;
    }

    private static double off(Exchange pair, double wanted) {
        return Math.abs(pair.shiftNanos() - wanted);
    }

    private static void apply(List<List<Piece>> ranks, Exchange exchange) {
        for (int i = 0; i < ranks.size(); i++) {
            List<Piece> rank = new ArrayList<>(ranks.get(i));
            if (rank.remove(exchange.heavy())) {
                rank.add(exchange.light());
            } else if (rank.remove(exchange.light())) {
                rank.add(exchange.heavy());
            }
            ranks.set(i, sorted(rank));
        }
    }
}
