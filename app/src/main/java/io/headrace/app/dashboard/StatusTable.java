package io.headrace.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table that {@code headrace top} shows: one look at a job, with rates against the look before. Pure. */
public final class StatusTable {

    private static final int MOST_LATE = 5;

    private StatusTable() {}

    /**
     * The lines of a look.
     *
     * @param now the answer to {@code /v1/status}
     * @param before that of the look before; null for the first
     * @param seconds between the two
     */
    public static List<String> lines(JsonNode now, @Nullable JsonNode before, double seconds) {
        List<String> lines = new ArrayList<>();
        JsonNode counters = now.path("counters");
        JsonNode slots = now.path("slots");
        lines.add(
                "job %s: %s, %d clients, planned to step %d"
                        .formatted(
                                now.path("job").asText(),
                                now.path("state").asText(),
                                now.path("clients").asInt(),
                                now.path("planned_step").asLong()));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "decoded %.0f samples, %s; masked %.0f, left out %.0f; imbalance %.3f",
                        counters.path("decoded_samples").asDouble(),
                        rate(now, before, seconds),
                        counters.path("masked_samples").asDouble(),
                        counters.path("left_out_samples").asDouble(),
                        counters.path("imbalance").asDouble(1)));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "slots: %d in use, %d free, %.1f of %.1f MiB",
                        slots.path("in_use").asInt(),
                        slots.path("free").asInt(),
                        slots.path("reserved_bytes").asLong() / 1048576.0,
                        slots.path("limit_bytes").asLong() / 1048576.0));
        if (before != null && seconds > 0) {
            Bottleneck bottleneck = Bottleneck.between(before, now, seconds);
            lines.add(stages(bottleneck));
            lines.add("held back by " + bottleneck.verdict());
        }
        lines.add("rank     step  ready   waits   waited s   compute ms");
        for (JsonNode rank : now.path("ranks")) {
            lines.add(rank(rank));
        }
        late(now.path("late"), lines);
        return lines;
    }

    private static String stages(Bottleneck bottleneck) {
        StringBuilder line = new StringBuilder("decode threads: ");
        line.append(Bottleneck.percent(bottleneck.busy())).append(" busy");
        for (Bottleneck.Stage stage : bottleneck.stages()) {
            line.append(", ")
                    .append(stage.name())
                    .append(' ')
                    .append(Bottleneck.percent(stage.share()));
        }
        return line + "; ranks wait " + Bottleneck.percent(bottleneck.waiting());
    }

    /** The last samples that ranks waited for. */
    private static void late(JsonNode samples, List<String> lines) {
        int first = Math.max(0, samples.size() - MOST_LATE);
        if (!samples.isEmpty()) {
            lines.add("late samples, the latest last:");
        }
        for (int i = first; i < samples.size(); i++) {
            JsonNode sample = samples.get(i);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "  rank %d step %d: %s in %s took %.1f ms",
                            sample.path("rank").asInt(),
                            sample.path("step").asLong(),
                            sample.path("sample").asText(),
                            sample.path("file").asText(),
                            sample.path("decode_nanos").asLong() / 1e6));
        }
    }

    private static String rank(JsonNode rank) {
        return String.format(
                Locale.ROOT,
                "%4d %8d %6d %7d %10.2f %12.1f",
                rank.path("rank").asInt(),
                rank.path("delivered").asLong(),
                rank.path("ready_ahead").asInt(),
                rank.path("waits").asLong(),
                rank.path("wait_nanos").asLong() / 1e9,
                rank.path("compute_nanos").asLong() / 1e6);
    }

    private static String rate(JsonNode now, @Nullable JsonNode before, double seconds) {
        if (before == null || seconds <= 0) {
            return "rate not known yet";
        }
        double decoded =
                now.path("counters").path("decoded_samples").asDouble()
                        - before.path("counters").path("decoded_samples").asDouble();
        return String.format(Locale.ROOT, "%.1f a second", decoded / seconds);
    }
}
