package io.headrace.engine.cost.learn;

import io.headrace.engine.recipe.PlanSpec;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Predicts how long a rank computes for what it got, in nanoseconds.
 *
 * <p>In synchronous training every window ends with the slowest rank, so a step tells one thing only: its end is the maximum over ranks of
 * start plus own time. Which rank that was is hidden; as in expectation maximisation (Dempster, Laird and Rubin 1977) the end counts for
 * each rank by the odds, under the present model, that it was the slowest. Ranks that tell their own time are taken by it. Not thread-safe.
 */
public final class AcceleratorModel {

    /** Some 50 steps count. */
    private static final double FORGET = 0.98;

    /** Ranks whose predicted ends differ by less than this share of the window may each be the slowest. */
    private static final double LEAST_DOUBT = 0.01;

    /** Below these odds a rank is not counted. */
    private static final double LEAST_ODDS = 0.02;

    /** Predictions off by more than this are not to be planned with. */
    private static final double LARGEST_ERROR = 0.5;

    private static final int LEAST_STEPS = 3;

    private final LearntCost cost;
    private final ErrorWindow errors = new ErrorWindow();
    private int steps;

    /** A model that starts with the recipe's formulas, whose unit is learnt. */
    public AcceleratorModel(PlanSpec spec) {
        this.cost =
                new LearntCost(
                        new double[] {
                            0,
                            spec.backbone().linear(),
                            spec.backbone().quadratic(),
                            spec.encoder().linear(),
                            spec.encoder().quadratic()
                        },
                        false,
                        FORGET);
    }

    /** Compute time of one rank; 0 while nothing is known. */
    public double predictNanos(RankWork work) {
        return cost.predict(work.vector());
    }

    /** Compute window of a step: that of its slowest rank. */
    public double predictNanos(Collection<RankWork> ranks) {
        return ranks.stream().mapToDouble(this::predictNanos).max().orElse(0);
    }

    /** Learns from a step that all of these ranks have ended. */
    public void observe(List<RankTimes> ranks) {
        if (ranks.isEmpty()) {
            return;
        }
        boolean tell = ranks.stream().allMatch(rank -> rank.ownNanos() > 0);
        long start = ranks.stream().mapToLong(RankTimes::startNanos).max().orElse(0);
        long asked = ranks.stream().mapToLong(RankTimes::endNanos).max().orElse(0) - start;
        double real = tell ? window(ranks, start, rank -> (double) rank.ownNanos()) : asked;
        if (!(real > 0)) {
            return;
        }
        cost.begin(
                ranks.stream().mapToDouble(r -> cost.unscaled(r.work().vector())).max().orElse(0),
                real);
        double predicted = window(ranks, start, r -> predictNanos(r.work()));
        if (steps > 0) {
            errors.add(predicted, real);
            cost.judge(
                    window(ranks, start, r -> cost.byPrior(r.work().vector())),
                    window(ranks, start, r -> cost.byLearnt(r.work().vector())),
                    real,
                    1);
        }
        if (cost.watch(predicted, real)) {
            if (tell) {
                learnOwn(ranks);
            } else {
                learnSlowest(ranks, start, real);
            }
        }
        steps++;
    }

    /** From the last start to the end of the last rank, if each takes so long. */
    private static double window(
            List<RankTimes> ranks, long start, ToDoubleFunction<RankTimes> nanos) {
        return ranks.stream()
                .mapToDouble(
                        rank -> (double) (rank.startNanos() - start) + nanos.applyAsDouble(rank))
                .max()
                .orElse(0);
    }

    private void learnOwn(List<RankTimes> ranks) {
        for (int i = 0; i < ranks.size(); i++) {
            RankTimes rank = ranks.get(i);
            cost.learn(rank.work().vector(), (double) rank.ownNanos(), 1.0 / ranks.size(), i == 0);
        }
    }

    private void learnSlowest(List<RankTimes> ranks, long start, double real) {
        double[] early = new double[ranks.size()];
        double[] odds = new double[ranks.size()];
        double predicted = window(ranks, start, r -> predictNanos(r.work()));
        double doubt = Math.max(LEAST_DOUBT, 0.5 * cost.usualError()) * real;
        double sum = 0;
        for (int i = 0; i < odds.length; i++) {
            early[i] = (double) (start - ranks.get(i).startNanos());
            double end = predictNanos(ranks.get(i).work()) - early[i];
            odds[i] = Math.exp((end - predicted) / doubt);
            sum += odds[i];
        }
        boolean first = true;
        for (int i = 0; i < odds.length; i++) {
            double share = odds[i] / sum;
            if (share >= Math.min(LEAST_ODDS, 1.0 / odds.length)) {
                cost.learn(ranks.get(i).work().vector(), real + early[i], share, first);
                first = false;
            }
        }
    }

    /** Whether predictions are good enough for deadlines. */
    public boolean isConfident() {
        return steps >= LEAST_STEPS && cost.error() < LARGEST_ERROR;
    }

    /** Relative errors of the windows predicted for the last steps. */
    public ErrorWindow errors() {
        return errors;
    }

    /** What is known of the cost, for reports. */
    public LearntCost cost() {
        return cost;
    }
}
