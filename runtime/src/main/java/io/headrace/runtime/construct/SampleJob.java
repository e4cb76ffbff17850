package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.runtime.construct.decode.DecodePool;
import io.headrace.runtime.construct.progress.SampleProgress;
import io.headrace.runtime.construct.progress.StageTimes;
import io.headrace.runtime.construct.shape.SamplePlace;
import org.jspecify.annotations.Nullable;

/** One share of the work of one sample, as the decode pool runs it. */
final class SampleJob implements DecodePool.Job<SampleWorker> {

    private final SampleFill fill;
    private final int share;
    private final DecodePolicy.Task task;
    private final SampleProgress progress;

    /** Who is told how samples and steps end. Called on decode threads. */
    interface Outcomes {

        /** A worker was busy with a sample or a share of one. */
        void worked(StepBuild build, SamplePlace place, int worker, long startNanos, long endNanos);

        /** A sample is in its place, after so much time and CPU time on decode threads. */
        void decoded(StepBuild build, SamplePlace place, long nanos, long cpuNanos);

        /** A sample cannot be used; false if the job must end, which the callee sees to. */
        boolean masked(StepBuild build, SamplePlace place, @Nullable Part part, BadPayload problem);

        /** A sample cannot be read, or the code is wrong: the job ends. */
        void failed(StepBuild build, SamplePlace place, @Nullable Part part, Exception failure);

        /** Every sample of the step is done. */
        void complete(StepBuild build);
    }

    SampleJob(SampleFill fill, int share, DecodePolicy.Task task, StageTimes times) {
        this.fill = fill;
        this.share = share;
        this.task = task;
        this.progress = new SampleProgress(fill.place(), times);
    }

    @Override
    public DecodePolicy.Task task() {
        return task;
    }

    SampleProgress progress() {
        return progress;
    }

    @Override
    public void run(SampleWorker worker) {
        fill.run(worker, share, progress);
    }
}
