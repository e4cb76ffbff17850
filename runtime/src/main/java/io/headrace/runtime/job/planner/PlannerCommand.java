package io.headrace.runtime.job.planner;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Checkpoint;
import io.headrace.engine.plan.StepPlan;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** What the Planner is asked, and what it answers. Metadata only. */
public sealed interface PlannerCommand {

    /** Asks for the plan of a step; any step may be asked for, in any order and again. */
    record PlanStep(long step, ActorRef<PlanReply> replyTo) implements PlannerCommand {}

    /** Asks for the checkpoint before a step. */
    record CheckpointBefore(long step, ActorRef<CheckpointReply> replyTo)
            implements PlannerCommand {}

    /** Hands over a checkpoint to go on from. */
    record Resume(Checkpoint checkpoint, ActorRef<CheckpointReply> replyTo)
            implements PlannerCommand {}

    /** Tells of samples that were masked. */
    record Mask(long step, int rank, SampleRef sample) implements PlannerCommand {}

    /** Answer to {@link PlanStep}. */
    sealed interface PlanReply {
        long step();

        /** The plan; {@code tooLong} are samples that were drawn for it but fit no pack. */
        record Planned(StepPlan plan, List<SampleRef> tooLong) implements PlanReply {
            @Override
            public long step() {
                return plan.step();
            }
        }

        /**
         * The data ends before the step.
         *
         * @param endStep number of steps that there are
         * @param dropped samples that did not fill another step
         * @param tooLong samples that were drawn for it but fit no pack
         */
        record Ended(long step, long endStep, List<SampleRef> dropped, List<SampleRef> tooLong)
                implements PlanReply {}

        /** No plan can be made. */
        record Failed(long step, String reason) implements PlanReply {}
    }

    /** Answer to {@link CheckpointBefore} and {@link Resume}. */
    sealed interface CheckpointReply {
        record Found(Checkpoint checkpoint) implements CheckpointReply {}

        /** The checkpoint does not fit the job, or the data ends before the step. */
        record Refused(String reason) implements CheckpointReply {}
    }
}
