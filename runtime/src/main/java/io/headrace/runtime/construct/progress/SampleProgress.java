package io.headrace.runtime.construct.progress;

import io.headrace.engine.descriptor.Part;
import io.headrace.runtime.construct.shape.SamplePlace;
import org.jspecify.annotations.Nullable;

/** How far a sample is, for those who wait for it. Written by its decode thread, read by any. */
public final class SampleProgress {

    /** What is being done. */
    public enum Stage {
        QUEUED,
        LOADING,
        DECODING,
        TOKENIZING,
        DONE
    }

    /** One stage: the part that is worked on, and when it began. */
    public record View(Stage stage, @Nullable Part part, long sinceEpochMillis) {}

    private final StageTimes times;
    private long sinceNanos;

    private final SamplePlace place;
    private volatile View view = new View(Stage.QUEUED, null, System.currentTimeMillis());

    public SampleProgress(SamplePlace place, StageTimes times) {
        this.place = place;
        this.times = times;
    }

    /** Called by the decode thread alone. */
    public void enter(Stage stage, @Nullable Part part) {
        long now = System.nanoTime();
        times.add(view.stage(), now - sinceNanos);
        sinceNanos = now;
        view = new View(stage, part, System.currentTimeMillis());
    }

    public SamplePlace place() {
        return place;
    }

    public View view() {
        return view;
    }
}
