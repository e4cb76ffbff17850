package io.headrace.runtime.construct;

import io.headrace.runtime.construct.shape.StepShape;
import io.headrace.runtime.deliver.StepAnswer;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.job.planner.PlannerCommand.PlanReply;
import java.util.concurrent.CompletableFuture;

/** What a Data Constructor is told. Futures never leave the host: ranks of other hosts come in by HTTP. */
public sealed interface ConstructorCommand {

    /** A rank of this host asks for a step. */
    record Want(int rank, long step, CompletableFuture<StepAnswer> answer)
            implements ConstructorCommand {}

    /** A rank asks for the step after the one that it has just got, to have the answer when it comes for it. */
    record WantAhead(int rank, long step, CompletableFuture<StepAnswer> answer)
            implements ConstructorCommand {}

    /** A rank had to wait for a step that it had asked for ahead. */
    record WaitedFor(int rank, long step) implements ConstructorCommand {}

    /** A rank is done with a step. */
    record Consumed(int rank, long step) implements ConstructorCommand {}

    /** A checkpoint was loaded: ranks go on from a step. Comes once for each rank that loads it. */
    record Restart(long step) implements ConstructorCommand {}

    /** The Planner answers. */
    record FromPlanner(PlanReply reply) implements ConstructorCommand {}

    /** A step has its slot. */
    record Begun(long ticket, StepShape shape, Slot slot) implements ConstructorCommand {}

    /** All samples of a step are done. */
    record Complete(StepBuild build) implements ConstructorCommand {}

    /** The job cannot go on. */
    record Fail(JobFailure failure) implements ConstructorCommand {}
}
