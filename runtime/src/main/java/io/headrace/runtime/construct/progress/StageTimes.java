package io.headrace.runtime.construct.progress;

import io.headrace.runtime.construct.progress.SampleProgress.Stage;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What decode threads spent their time on. Written by any thread, read by any. */
public final class StageTimes {

    private final Map<Stage, LongAdder> nanos = new EnumMap<>(Stage.class);

    StageTimes() {
        for (Stage stage : Stage.values()) {
            nanos.put(stage, new LongAdder());
        }
    }

    void add(Stage stage, long spentNanos) {
        LongAdder sum = nanos.get(stage);
        if (sum != null) {
            sum.add(spentNanos);
        }
    }

    /** Seconds of each stage that occupies a thread, by names such as {@code loading_seconds}. */
    Map<String, Double> seconds() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        nanos.forEach(
                (stage, sum) -> {
                    if (stage != Stage.QUEUED && stage != Stage.DONE) {
                        String name = stage.name().toLowerCase(Locale.ROOT) + "_seconds";
                        seconds.put(name, sum.sum() / 1e9);
                    }
                });
        return seconds;
    }
}
