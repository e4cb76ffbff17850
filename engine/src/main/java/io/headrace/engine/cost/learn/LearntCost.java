package io.headrace.engine.cost.learn;

import java.util.Arrays;

/**
 * Cost of one kind of work as a linear function of its features, in nanoseconds. Starts with a prior whose scale follows the observations,
 * learns the coefficients by {@link LeastSquares}, and predicts with these only while their recent error is below that of the prior.
 *
 * <p>Observations far off are cut to what is usual. A lasting change of speed is seen as a run of errors on one side, and then all costs
 * are scaled by it at once. Not thread-safe.
 */
public final class LearntCost {

    /** Weight of the last error in the moving averages: some 20 observations count. */
    private static final double ERROR_GAIN = 0.05;

    /** The prior's scale follows as the mean at first, later with this weight. */
    private static final double SCALE_GAIN = 0.05;

    /** Errors on one side that make a change of speed. */
    private static final int CHANGE_RUN = 5;

    /** Smallest change, as a logarithm, that is taken for one: a sixth. */
    private static final double LEAST_CHANGE = 0.15;

    /** What the observations before a change still count after it. */
    private static final double KEPT_AFTER_CHANGE = 0.1;

    /** An observation is cut at so many usual errors, and never below {@link #LEAST_CUT}. */
    private static final double CUT_ERRORS = 4;

    private static final double LEAST_CUT = 0.3;

    /** How much better than the prior the learnt costs must be to take over. */
    private static final double TAKEOVER = 0.95;

    /** An error of so many usual ones is far off. */
    private static final double FAR_ERRORS = 2.5;

    private static final double LARGEST_ERROR = 2;
    private static final double LEAST_USUAL_ERROR = 1e-3;
    private static final double LEAST_NANOS = 1;

    private final double[] prior;
    private final LeastSquares learnt;
    private final double[] run = new double[CHANGE_RUN];
    private double scale;
    private double observed;
    private double priorError;
    private double learntError;
    private double usualError = LEAST_CUT;
    private boolean trusted;
    private int runLength;

    /**
     * @param prior cost of each feature, in nanoseconds or in any unit
     * @param scaleKnown whether the prior is in nanoseconds; else the first observation sets its scale
     * @param forget see {@link LeastSquares}
     */
    public LearntCost(double[] prior, boolean scaleKnown, double forget) {
        this.prior = prior.clone();
        this.scale = scaleKnown ? 1 : 0;
        this.learnt = new LeastSquares(prior.length, forget);
    }

    /** Predicted cost; 0 while nothing is known. */
    public double predict(double[] features) {
        return trusted ? byLearnt(features) : byPrior(features);
    }

    /** Sets the prior's unit by what a first observation took, if it is not known; later the scale follows by itself. */
    void begin(double unscaled, double nanos) {
        if (scale == 0 && unscaled > 0 && nanos > 0) {
            scale = nanos / unscaled;
        }
    }

    /** The prior in its own unit. */
    double unscaled(double[] features) {
        return dot(prior, features);
    }

    double byPrior(double[] features) {
        return scale * dot(prior, features);
    }

    double byLearnt(double[] features) {
        return learnt.predict(features);
    }

    /** Learns from an observation. */
    public void observe(double[] features, double nanos) {
        double predicted = predict(features);
        judge(byPrior(features), byLearnt(features), nanos, 1);
        if (watch(predicted, nanos)) {
            learn(features, nanos, 1, true);
        }
    }

    /**
     * Measures prior and learnt costs by their predictions of something that has not been learnt yet, and trusts the better.
     *
     * @param share how much it counts, up to 1
     */
    void judge(double byPrior, double byLearnt, double nanos, double share) {
        if (!(byPrior > 0) || !(nanos > 0)) {
            return;
        }
        double gain = share * Math.max(ERROR_GAIN, 1 / (1 + observed));
        priorError += gain * (error(byPrior, nanos) - priorError);
        learntError += gain * (error(byLearnt, nanos) - learntError);
        boolean seenEnough = observed >= 2 * prior.length;
        trusted = seenEnough && learntError < (trusted ? 1 : TAKEOVER) * priorError;
    }

    private static double error(double predicted, double real) {
        return Math.min(LARGEST_ERROR, Math.abs(predicted - real) / real);
    }

    /**
     * Learns from an observation that counts in part.
     *
     * @param share how much it counts, up to 1
     * @param ages whether older observations lose weight by it
     */
    void learn(double[] features, double nanos, double share, boolean ages) {
        double unscaled = dot(prior, features);
        if (!(nanos > 0) || !(unscaled > 0) || !Double.isFinite(nanos) || !(share > 0)) {
            return;
        }
        begin(unscaled, nanos);
        double predicted = Math.max(predict(features), LEAST_NANOS);
        double taken = observed < CHANGE_RUN ? nanos : cut(nanos, predicted);
        observed += share;
        double gain = share * Math.max(SCALE_GAIN, 1 / (1 + observed));
        scale *= Math.exp(gain * Math.log(taken / (scale * unscaled)));
        double[] scaled = prior.clone();
        Arrays.setAll(scaled, i -> scale * prior[i]);
        learnt.add(features, taken, share / (predicted * predicted), ages, scaled);
    }

    private double cut(double nanos, double predicted) {
        double most = Math.max(LEAST_CUT, CUT_ERRORS * usualError);
        return predicted * Math.exp(Math.clamp(Math.log(nanos / predicted), -most, most));
    }

    /**
     * Follows the usual error, and takes a run of errors on one side that is far beyond it for a change of speed.
     *
     * @return whether the observation is to be learnt: not one far off, as long as it may be chance or a stop
     */
    boolean watch(double predicted, double nanos) {
        if (!(predicted > 0) || !(nanos > 0)) {
            return true;
        }
        double off = Math.log(nanos / predicted);
        double size = Math.abs(off);
        boolean far =
                observed >= CHANGE_RUN && size > Math.max(LEAST_CHANGE, FAR_ERRORS * usualError);
        double gain = far ? ERROR_GAIN / 2 : Math.max(ERROR_GAIN, 1 / (2 + observed));
        usualError += gain * (Math.min(size, 3 * usualError) - usualError);
        usualError = Math.max(usualError, LEAST_USUAL_ERROR);
        if (!far) {
            runLength = 0;
            return true;
        }
        boolean same = runLength > 0 && Math.signum(off) == Math.signum(run[runLength - 1]);
        runLength = same ? runLength : 0;
        run[runLength++] = off;
        if (runLength < CHANGE_RUN) {
            return false;
        }
        double[] sorted = run.clone();
        Arrays.sort(sorted);
        changeSpeed(Math.exp(sorted[CHANGE_RUN / 2]));
        return true;
    }

    private void changeSpeed(double factor) {
        scale *= factor;
        learnt.rescale(factor, KEPT_AFTER_CHANGE);
        runLength = 0;
    }

    /** Moving average of the relative error of what predicts now. */
    public double error() {
        return trusted ? learntError : priorError;
    }

    /** Usual size of the error of a prediction, as a logarithm; changes of speed do not enter. */
    double usualError() {
        return usualError;
    }

    /** Whether learnt coefficients predict, and not the prior. */
    public boolean isLearnt() {
        return trusted;
    }

    /** Observations so far. */
    public double observed() {
        return observed;
    }

    /** Nanoseconds of each feature as predicted now. */
    public double[] coefficients() {
        double[] now = learnt.coefficients();
        if (!trusted) {
            Arrays.setAll(now, i -> scale * prior[i]);
        }
        return now;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
