package io.headrace.engine.schedule.rebalance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for a step, with all that it was decided from.
 *
 * @param heaviestNanos predicted time of the slowest rank before
 * @param thresholdNanos what the net gain had to exceed
 * @param candidates all that were considered, by number of exchanges
 * @param chosen null: the step stays as it is
 */
public record Decision(
        long step,
        double heaviestNanos,
        double thresholdNanos,
        List<Candidate> candidates,
        @Nullable Candidate chosen) {
    public Decision {
        candidates = List.copyOf(candidates);
    }

    /** The exchanges to make; none if the step stays as it is. */
    public List<Exchange> exchanges() {
        return chosen == null ? List.of() : chosen.exchanges();
    }
}
