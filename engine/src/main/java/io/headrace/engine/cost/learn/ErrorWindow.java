package io.headrace.engine.cost.learn;

import java.util.Arrays;

/** Relative errors of the last predictions, {@code |predicted - real| / real}, of which median and 95th percentile are told. */
public final class ErrorWindow {

    /** Predictions that are kept: enough for a steady 95th percentile, few enough to follow a change. */
    public static final int KEPT = 1024;

    private final double[] errors = new double[KEPT];
    private long added;

    /** A prediction and what came of it; ignored where nothing was measured. */
    public void add(double predictedNanos, double realNanos) {
        if (realNanos > 0) {
            errors[(int) (added++ % KEPT)] = Math.abs(predictedNanos - realNanos) / realNanos;
        }
    }

    /** Predictions since the start. */
    public long added() {
        return added;
    }

    /** The error that a share of the kept predictions does not exceed; 0 if there are none. */
    public double quantile(double share) {
        int kept = (int) Math.min(added, KEPT);
        if (kept == 0) {
            return 0;
        }
        double[] sorted = Arrays.copyOf(errors, kept);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(kept - 1, Math.floor(share * kept))];
    }
}
