package io.headrace.engine.cost.learn;

import java.util.Arrays;

/**
 * Non-negative least squares with exponential forgetting, in information form: {@code A = sum f^age w x x'} and {@code b = sum f^age w x y}
 * are kept and solved by coordinate descent. That is recursive least squares (Ljung and Söderström 1983), but nothing is ever inverted, so
 * it cannot wind up when features repeat, and costs cannot become negative. Directions that the data do not tell are held at a prior by a
 * weight of {@link #RIDGE} observations of usual size.
 */
final class LeastSquares {

    private static final double RIDGE = 0.5;

    /** Each observation changes the solution little, so that few sweeps from the last one are enough. */
    private static final int SWEEPS = 12;

    private final double forget;
    private final double[][] products;
    private final double[] targets;
    private final double[] coefficients;
    private double weight;

    /**
     * @param forget weight of an observation after one more has come, such as 0.98
     */
    LeastSquares(int features, double forget) {
        this.forget = forget;
        this.products = new double[features][features];
        this.targets = new double[features];
        this.coefficients = new double[features];
    }

    double predict(double[] x) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += coefficients[i] * x[i];
        }
        return sum;
    }

    double[] coefficients() {
        return coefficients.clone();
    }

    /**
     * Takes an observation.
     *
     * @param w its weight times the inverse of its variance
     * @param ages whether older observations lose weight by it
     * @param prior where coefficients go that nothing is known of
     */
    void add(double[] x, double y, double w, boolean ages, double[] prior) {
        double keep = ages ? forget : 1;
        weight = weight * keep + 1;
        for (int i = 0; i < x.length; i++) {
            targets[i] = targets[i] * keep + w * x[i] * y;
            for (int j = 0; j < x.length; j++) {
                products[i][j] = products[i][j] * keep + w * x[i] * x[j];
            }
        }
        solve(prior);
    }

    /** All costs have changed by a factor: what was seen counts little from now on. */
    void rescale(double factor, double keep) {
        for (int i = 0; i < targets.length; i++) {
            coefficients[i] *= factor;
            targets[i] *= factor * keep;
            for (int j = 0; j < targets.length; j++) {
                products[i][j] *= keep;
            }
        }
        weight *= keep;
    }

    private void solve(double[] prior) {
        double[] ridge = new double[targets.length];
        Arrays.setAll(ridge, i -> RIDGE * products[i][i] / weight);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 0; i < targets.length; i++) {
                double norm = products[i][i] + ridge[i];
                if (norm > 0) {
                    double rest = targets[i] + ridge[i] * prior[i];
                    for (int j = 0; j < targets.length; j++) {
                        rest -= i == j ? 0 : products[i][j] * coefficients[j];
                    }
                    coefficients[i] = Math.max(0, rest / norm);
                }
            }
        }
    }
}
