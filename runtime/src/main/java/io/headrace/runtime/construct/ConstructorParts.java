package io.headrace.runtime.construct;

import io.headrace.runtime.construct.decode.DecodePool;
import io.headrace.runtime.construct.shape.StepShapes;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.job.planner.PlannerCommand;
import org.apache.pekko.actor.typed.ActorRef;

/** What a Data Constructor works with. */
public record ConstructorParts(
        Window window,
        ActorRef<PlannerCommand> planner,
        StepShapes shapes,
        SlotPool pool,
        DecodePool<SampleWorker> decodePool,
        StepReports reports) {

    /**
     * What is made ready.
     *
     * @param ranks ranks that the constructor feeds
     * @param readyAheadSteps steps made ready beyond the one that a rank reads
     * @param splits whether several threads may decode a long video
     */
    public record Window(int ranks, int readyAheadSteps, boolean splits) {}
}
