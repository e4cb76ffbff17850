package io.headrace.runtime.job.planner;

import io.headrace.engine.plan.MembershipState;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The Planner's state: membership before some steps, from which that before any other follows by folding, and counts. Anchors of the
 * last {@link #RECENT_STEPS} are all kept, older ones at every {@link #OLD_SPACING}, so memory is bounded by few of them.
 */
record PlannerState(TreeMap<Long, MembershipState> anchors, long plannedSteps, long masked) {

    /** Distance of the anchors in the journal: folding so far takes milliseconds. */
    static final int SPACING = 64;

    /** More than any rank lags behind or is fed ahead. */
    static final int RECENT_STEPS = 1024;

    /** Distance of older anchors: folding so far takes a second or two, and is asked for only by hand. */
    static final int OLD_SPACING = 4096;

    static PlannerState from(MembershipState start) {
        TreeMap<Long, MembershipState> anchors = new TreeMap<>();
        anchors.put(start.step(), start);
        return new PlannerState(anchors, 0, 0);
    }

    /** The kept state that lies nearest before a step, or at it. */
    MembershipState nearest(long step) {
        return Objects.requireNonNull(anchors.floorEntry(step), "no anchor at the start")
                .getValue();
    }

    /** The state after an event. */
    PlannerState apply(PlannerEvent event) {
        return switch (event) {
            case PlannerEvent.Anchored(MembershipState state) -> anchored(state);
            case PlannerEvent.Resumed(MembershipState state) -> resumed(state);
            case PlannerEvent.Planned(long step) ->
                    new PlannerState(anchors, Math.max(plannedSteps, step + 1), masked);
            case PlannerEvent.Masked _ -> new PlannerState(anchors, plannedSteps, masked + 1);
        };
    }

    private PlannerState resumed(MembershipState state) {
        TreeMap<Long, MembershipState> kept = new TreeMap<>(anchors.headMap(state.step()));
        kept.put(state.step(), state);
        return new PlannerState(kept, Math.min(plannedSteps, state.step()), masked);
    }

    private PlannerState anchored(MembershipState state) {
        TreeMap<Long, MembershipState> kept = new TreeMap<>(anchors);
        kept.put(state.step(), state);
        kept.headMap(state.step() - RECENT_STEPS)
                .keySet()
                .removeIf(step -> step % OLD_SPACING != 0);
        return new PlannerState(kept, plannedSteps, masked);
    }
}
