package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.media.text.EncodedText;
import io.headrace.runtime.construct.decode.DecodePool;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.TensorNames;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Fills one sample's part of a slot. A sample that cannot be used is masked: its place stays, with zeros and untrained padding. */
final class SampleJob implements DecodePool.Job<SampleWorker> {

    private final StepBuild build;
    private final SamplePlace place;
    private final DecodePolicy.Task task;
    private final SampleProgress progress;
    private final Outcomes outcomes;

    /** Who is told how samples and steps end. Called on decode threads. */
    interface Outcomes {

        /** A sample is in its place. */
        void decoded(StepBuild build, SamplePlace place, long nanos);

        /** A sample cannot be used; false if the job must end, which the callee sees to. */
        boolean masked(StepBuild build, SamplePlace place, @Nullable Part part, BadPayload problem);

        /** A sample cannot be read, or the code is wrong: the job ends. */
        void failed(StepBuild build, SamplePlace place, @Nullable Part part, Exception failure);

        /** Every sample of the step is done. */
        void complete(StepBuild build);
    }

    SampleJob(StepBuild build, SamplePlace place, DecodePolicy.Task task, Outcomes outcomes) {
        this.build = build;
        this.place = place;
        this.task = task;
        this.progress = new SampleProgress(place);
        this.outcomes = outcomes;
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
        long startNanos = System.nanoTime();
        try {
            if (!build.isCancelled()) {
                if (fill(worker)) {
                    outcomes.decoded(build, place, System.nanoTime() - startNanos);
                }
            }
        } catch (IOException | RuntimeException e) {
            build.cancel();
            outcomes.failed(build, place, progress.view().part(), e);
        } finally {
            finish(worker);
        }
    }

    /** False if the sample cannot be used: it is masked then. */
    private boolean fill(SampleWorker worker) throws IOException {
        try {
            BadPayload problem = place.shape().problem();
            if (problem != null) {
                throw problem;
            }
            EncodedText text = worker.text(place, progress);
            worker.pictures(build, place, progress);
            keep(place.placement().filler() && text != null ? text.untrained() : text);
            return true;
        } catch (BadPayload e) {
            Part part = progress.view().part();
            worker.pixels().clear(build.slot(), place);
            build.slot()
                    .tensor(place.microbatch(), TensorNames.SAMPLE_VALID)
                    .set(ValueLayout.JAVA_BYTE, place.position(), (byte) 0);
            keep(worker.maskedText(place));
            build.countMasked();
            if (!place.placement().filler() && !outcomes.masked(build, place, part, e)) {
                build.cancel();
            }
            return false;
        }
    }

    private void keep(@Nullable EncodedText text) {
        if (text != null) {
            build.keep(place, text);
        }
    }

    private void finish(SampleWorker worker) {
        try {
            if (build.rowIsComplete(place) && !build.isCancelled()) {
                writeRow(worker);
            }
        } catch (RuntimeException e) {
            build.cancel();
            outcomes.failed(build, place, null, e);
        } finally {
            progress.enter(SampleProgress.Stage.DONE, null);
            if (build.stepIsComplete()) {
                outcomes.complete(build);
            }
        }
    }

    private void writeRow(SampleWorker worker) {
        if (worker.pixels().tensors().ids()) {
            int microbatch = place.microbatch();
            worker.rows()
                    .write(
                            build.shape().microbatches().get(microbatch),
                            build.slot(),
                            microbatch,
                            place.placement().row(),
                            build.texts(place));
        }
    }
}
