package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.report.StoreStatus;
import io.headrace.runtime.deliver.report.WaitReport;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The job as the delivery server sees it. Called by many virtual threads at once; no call but {@link #checkpoint} and {@link #restore}
 * may block.
 */
public interface StepStore {

    /**
     * The step of a rank. May be asked any number of times until it is consumed, and completes with the same slot each time. A step that
     * is neither the last one nor the next one of the rank moves the rank there. Several steps may be held at once, so the one before
     * need not be consumed yet. Completes exceptionally when the job stops; the message reaches the user.
     */
    CompletionStage<StepAnswer> step(int rank, long step);

    /**
     * A step that the rank will come for after the one that it computes now. Moves nothing and does not say that the rank waits. Completes
     * as {@link #step} does; with {@link StepAnswer.NotYet} where nothing is known of the step yet.
     */
    default CompletionStage<StepAnswer> ahead(int rank, long step) {
        return CompletableFuture.completedFuture(new StepAnswer.NotYet());
    }

    /**
     * A rank has its step.
     *
     * @param waitNanos how long it waited for it
     * @param ahead whether it had asked ahead, so that {@link #step} was not called
     */
    void delivered(int rank, long step, long waitNanos, boolean ahead);

    /**
     * A rank is done with a step and will not ask for it again: its slot may be retired. Comes in the order of the steps, before or
     * after later steps have been asked for, and not at all from a rank that died or moved elsewhere.
     *
     * @param computeNanos the rank's compute window of that step, where it told
     * @param ownNanos the part of the window in which it computed itself and did not wait for others, where it told
     */
    void consumed(int rank, long step, OptionalLong computeNanos, OptionalLong ownNanos);

    /** What a rank's step is waiting for right now. */
    WaitReport waiting(int rank, long step);

    JobReport job();

    /** State from which the job goes on with this step: a small JSON document, the same for every rank. */
    String checkpoint(long step);

    /**
     * Goes on from a checkpoint. Every rank calls it with the same document; calls after the first change nothing.
     *
     * @return the first step to ask for
     * @throws IllegalArgumentException if the checkpoint is not one of this recipe
     */
    long restore(String checkpoint);

    StoreStatus status();

    /** Ends the job in good order, soon. */
    void stop(String reason);
}
