package io.headrace.sim;

import io.headrace.engine.cost.learn.ErrorWindow;
import java.util.List;

/**
 * What a simulated run came to.
 *
 * @param busyNanos CPU time of all samples
 * @param decoded samples and pieces that were decoded
 * @param windows errors of the predicted compute windows
 * @param cpu errors of the predicted CPU times, of the first host
 */
public record SimReport(
        List<Step> steps, double busyNanos, long decoded, ErrorWindow windows, ErrorWindow cpu) {
    public SimReport {
        steps = List.copyOf(steps);
    }

    /**
     * One step of all ranks.
     *
     * @param requestNanos when the ranks asked for it
     * @param endNanos when the slowest ended its compute window
     * @param waitNanos input wait of each rank: from its request until its step was ready
     * @param windowNanos the longest compute window of any rank
     * @param predictedNanos the window as it was predicted before
     */
    public record Step(
            double requestNanos,
            double endNanos,
            List<Double> waitNanos,
            double windowNanos,
            double predictedNanos) {
        public Step {
            waitNanos = List.copyOf(waitNanos);
        }

        /** The longest wait of any rank: what synchronous training loses. */
        public double stallNanos() {
            return waitNanos.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }
    }

    /** From the first request to the end of the last compute window. */
    public double durationNanos() {
        return steps.isEmpty() ? 0 : steps.getLast().endNanos();
    }

    /** Time that the accelerators could have saved with ready input: what is more than the longest window of each step. */
    public double lostNanos() {
        return durationNanos() - steps.stream().mapToDouble(Step::windowNanos).sum();
    }

    /** Sum of the stalls of all steps from one on. */
    public double stallNanos(int fromStep) {
        return steps.stream().skip(fromStep).mapToDouble(Step::stallNanos).sum();
    }

    /** Share of the time from a step on that is stall. */
    public double stallShare(int fromStep) {
        double time = durationNanos() - steps.get(fromStep).requestNanos();
        return time > 0 ? stallNanos(fromStep) / time : 0;
    }

    /** (Rank, step) pairs from a step on whose wait is above a limit. */
    public long misses(int fromStep, double limitNanos) {
        return steps.stream()
                .skip(fromStep)
                .flatMap(step -> step.waitNanos().stream())
                .filter(wait -> wait > limitNanos)
                .count();
    }
}
