package io.headrace.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What holds a job back between two looks at it, in words. Pure.
 *
 * @param busy share of the decode threads' time that they worked
 * @param stages what they spent it on: share of their time, by name, the largest first
 * @param waiting share of the ranks' time that they waited for input
 * @param verdict one sentence
 */
public record Bottleneck(double busy, List<Stage> stages, double waiting, String verdict) {

    /** Ranks that wait less are not held back by their input. */
    private static final double LITTLE_WAIT = 0.01;

    private static final double NEARLY_ALL = 0.85;
    private static final List<String> NAMES = List.of("loading", "decoding", "tokenizing");

    public Bottleneck {
        stages = List.copyOf(stages);
    }

    /** One stage of the work on samples. */
    public record Stage(String name, double share) {}

    /**
     * Compares two answers to {@code /v1/status}.
     *
     * @param seconds between them
     */
    public static Bottleneck between(JsonNode before, JsonNode now, double seconds) {
        double threads = Math.max(1, now.path("counters").path("decode_threads").asDouble());
        List<Stage> stages = new ArrayList<>();
        double busy = 0;
        for (String name : NAMES) {
            double share = counter(now, before, name + "_seconds") / (seconds * threads);
            stages.add(new Stage(name, share));
            busy += share;
        }
        stages.sort((a, b) -> Double.compare(b.share, a.share));
        double waited = 0;
        for (int rank = 0; rank < now.path("ranks").size(); rank++) {
            waited +=
                    now.path("ranks").path(rank).path("wait_nanos").asDouble()
                            - before.path("ranks").path(rank).path("wait_nanos").asDouble();
        }
        double waiting = waited / 1e9 / seconds / Math.max(1, now.path("ranks").size());
        return new Bottleneck(busy, stages, waiting, verdict(now, busy, stages, waiting));
    }

    private static double counter(JsonNode now, JsonNode before, String name) {
        return now.path("counters").path(name).asDouble()
                - before.path("counters").path(name).asDouble();
    }

    private static String verdict(JsonNode now, double busy, List<Stage> stages, double waiting) {
        if (waiting < LITTLE_WAIT) {
            return "the accelerators: ranks find their input ready";
        }
        Stage first = stages.getFirst();
        JsonNode slots = now.path("slots");
        boolean full =
                slots.path("reserved_bytes").asDouble()
                        > NEARLY_ALL * slots.path("limit_bytes").asDouble(Double.MAX_VALUE);
        if (busy > NEARLY_ALL) {
            return "%s: the decode threads are %s busy, %s of their time with it; more cores, or less work a sample"
                    .formatted(first.name, percent(busy), percent(first.share));
        }
        if (full) {
            return "slot memory: it is full while decode threads are idle; raise the limit of shared memory";
        }
        if (first.name.equals("loading")) {
            return "reading: decode threads wait for bytes; a faster disk, or more of them (delivery.decode_threads)";
        }
        return "uneven steps: ranks wait though decode threads are idle %s of the time; more steps ahead (delivery.ready_ahead), or a sample that takes longer than a step (see late samples)"
                .formatted(percent(1 - busy));
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
