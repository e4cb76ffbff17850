package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;
import io.headrace.media.text.EncodedText;
import io.headrace.runtime.construct.SampleJob.Outcomes;
import io.headrace.runtime.construct.decode.ThreadTime;
import io.headrace.runtime.construct.progress.SampleProgress;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.TensorNames;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One sample's part of a slot in the making. Its work may be cut into shares, which workers do in any order, each in its own bytes; the
 * worker that ends the last share finishes the sample. A sample that cannot be used is masked: its place stays, with zeros and untrained
 * padding.
 */
final class SampleFill {

    private final StepBuild build;
    private final SamplePlace place;
    private final Outcomes outcomes;
    private final int shares;
    private final AtomicInteger missing;
    private final AtomicReference<@Nullable Problem> problem = new AtomicReference<>();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong cpuNanos = new AtomicLong();
    private volatile @Nullable EncodedText text;
    private volatile boolean whole = true;

    private record Problem(BadPayload cause, @Nullable Part part) {}

    /**
     * @param shares parts that the work is cut into
     */
    SampleFill(StepBuild build, SamplePlace place, int shares, Outcomes outcomes) {
        this.build = build;
        this.place = place;
        this.shares = shares;
        this.missing = new AtomicInteger(shares);
        this.outcomes = outcomes;
    }

    SamplePlace place() {
        return place;
    }

    /** Does one share, from 0; the first also has the text, the pictures and the sound. */
    void run(SampleWorker worker, int share, SampleProgress progress) {
        long startNanos = System.nanoTime();
        long startCpuNanos = ThreadTime.nanos();
        try {
            if (build.isCancelled()) {
                whole = false;
            } else if (problem.get() == null) {
                fill(worker, share, progress);
            }
        } catch (BadPayload e) {
            problem.compareAndSet(null, new Problem(e, progress.view().part()));
        } catch (IOException | RuntimeException e) {
            whole = false;
            fail(progress.view().part(), e);
        } finally {
            worker.slowDown(startCpuNanos);
            long endNanos = System.nanoTime();
            nanos.addAndGet(endNanos - startNanos);
            cpuNanos.addAndGet(ThreadTime.nanos() - startCpuNanos);
            outcomes.worked(build, place, worker.number(), startNanos, endNanos);
            progress.enter(SampleProgress.Stage.DONE, null);
            if (missing.decrementAndGet() == 0) {
                finish(worker);
            }
        }
    }

    private void fill(SampleWorker worker, int share, SampleProgress progress)
            throws BadPayload, IOException {
        BadPayload known = place.shape().problem();
        if (known != null) {
            throw known;
        }
        if (share == 0) {
            EncodedText encoded = worker.text(place, progress);
            text = place.placement().filler() && encoded != null ? encoded.untrained() : encoded;
            worker.pictures(build, place, progress);
            worker.audios(build, place, progress);
        }
        worker.videos(build, place, share, shares, progress);
    }

    private void fail(@Nullable Part part, Exception cause) {
        build.cancel();
        outcomes.failed(build, place, part, cause);
    }

    private void finish(SampleWorker worker) {
        try {
            close(worker);
            if (build.rowIsComplete(place) && !build.isCancelled()) {
                writeRow(worker);
            }
        } catch (RuntimeException e) {
            fail(null, e);
        } finally {
            if (build.stepIsComplete(place, nanos.get())) {
                outcomes.complete(build);
            }
        }
    }

    private void close(SampleWorker worker) {
        Problem found = problem.get();
        if (found != null) {
            mask(worker, found);
        } else if (whole) {
            keep(text);
            outcomes.decoded(build, place, nanos.get(), cpuNanos.get());
        }
    }

    private void mask(SampleWorker worker, Problem found) {
        worker.pixels().clear(build.slot(), place);
        build.slot()
                .tensor(place.microbatch(), TensorNames.SAMPLE_VALID)
                .set(ValueLayout.JAVA_BYTE, place.position(), (byte) 0);
        keep(worker.maskedText(place));
        build.countMasked();
        if (!place.placement().filler()
                && !outcomes.masked(build, place, found.part, found.cause)) {
            build.cancel();
        }
    }

    private void keep(@Nullable EncodedText encoded) {
        if (encoded != null) {
            build.keep(place, encoded);
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
