package io.headrace.runtime.construct;

import io.headrace.media.text.EncodedText;
import io.headrace.media.text.row.RowWriter;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.StepShape;
import io.headrace.runtime.deliver.slot.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A rank's step in the making: its slot, and how many samples of each row and of the whole are still missing. Decode threads finish
 * samples in any order, each in its own part of the slot; the one that finishes the last of a row writes the row's text, and the one
 * that finishes the last of all hands the step over.
 */
final class StepBuild {

    private final StepShape shape;
    private final Slot slot;
    private final List<List<Row>> rows = new ArrayList<>();
    private final AtomicInteger missing;
    private final AtomicInteger masked = new AtomicInteger();
    private volatile boolean cancelled;
    private volatile @Nullable Last last;

    /** Texts of one row, by the sample's place in its microbatch. */
    private static final class Row {
        private final AtomicInteger missing = new AtomicInteger();
        private final Map<Integer, RowWriter.Placed> texts = new HashMap<>();
    }

    StepBuild(StepShape shape, Slot slot) {
        this.shape = shape;
        this.slot = slot;
        int samples = 0;
        for (StepShape.Microbatch microbatch : shape.microbatches()) {
            List<Row> fresh = new ArrayList<>();
            for (int row = 0; row < microbatch.rows(); row++) {
                fresh.add(new Row());
            }
            for (SamplePlace place : microbatch.samples()) {
                fresh.get(place.placement().row()).missing.incrementAndGet();
                samples++;
            }
            rows.add(fresh);
        }
        this.missing = new AtomicInteger(samples);
    }

    StepShape shape() {
        return shape;
    }

    Slot slot() {
        return slot;
    }

    long step() {
        return shape.step();
    }

    int rank() {
        return shape.rank();
    }

    /** Tells the jobs that nobody waits for the step any more; the last one gives the slot back. */
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    int maskedSamples() {
        return masked.get();
    }

    /** Samples that are not done. */
    int missingSamples() {
        return missing.get();
    }

    void countMasked() {
        masked.incrementAndGet();
    }

    /** Keeps the text of a sample for its row. */
    void keep(SamplePlace place, EncodedText text) {
        Row row = row(place);
        synchronized (row) {
            row.texts.put(
                    place.position(), new RowWriter.Placed(text, place.placement().offsetTokens()));
        }
    }

    /** Counts a sample of a row as done; true for the last one. */
    boolean rowIsComplete(SamplePlace place) {
        return row(place).missing.decrementAndGet() == 0;
    }

    /** Counts a sample of the step as done, its row written; true for the last one. */
    boolean stepIsComplete(SamplePlace place, long nanos) {
        if (missing.decrementAndGet() > 0) {
            return false;
        }
        last = new Last(place, nanos);
        return true;
    }

    /** The sample that was done last and what it took; null until the step is complete. */
    @Nullable Last last() {
        return last;
    }

    /** A sample and its time. */
    record Last(SamplePlace place, long nanos) {}

    /** The texts of a complete row, by offset. */
    List<RowWriter.Placed> texts(SamplePlace place) {
        Row row = row(place);
        synchronized (row) {
            return row.texts.values().stream()
                    .sorted(Comparator.comparingInt(RowWriter.Placed::offsetTokens))
                    .toList();
        }
    }

    private Row row(SamplePlace place) {
        return rows.get(place.microbatch()).get(place.placement().row());
    }
}
