package io.headrace.runtime.job.planner;

import io.headrace.engine.plan.MembershipState;

/**
 * What the Planner's journal keeps. Events are small, since a plan can be made again from them; the Planner's state changes only by
 * applying one.
 */
sealed interface PlannerEvent {

    /** Membership is known before a step: from a checkpoint, or reached by planning. Later steps fold from here. */
    record Anchored(MembershipState state) implements PlannerEvent {}

    /** The trainer went on from this state: what was known of later steps holds no more. */
    record Resumed(MembershipState state) implements PlannerEvent {}

    /** A step was planned for the first time. */
    record Planned(long step) implements PlannerEvent {}

    /** A planned sample was masked: the reason stands in the ledger. */
    record Masked(long step, int rank, int source, long index) implements PlannerEvent {}
}
