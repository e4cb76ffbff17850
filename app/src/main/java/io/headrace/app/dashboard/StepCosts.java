package io.headrace.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.SampleRef;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a step has really cost, as far as its job still knows.
 *
 * @param note a line that says where the figures are from, or why there are none
 * @param decodeNanos by sample
 * @param ranks what each rank's step cost, in words
 */
public record StepCosts(String note, Map<SampleRef, Long> decodeNanos, Map<Integer, String> ranks) {

    public StepCosts {
        decodeNanos = Map.copyOf(decodeNanos);
        ranks = Map.copyOf(ranks);
    }

    /** No figures, and why. */
    public static StepCosts none(String reason) {
        return new StepCosts("real costs: none, " + reason, Map.of(), Map.of());
    }

    /**
     * Of a running job.
     *
     * @param job its answer to {@code /v1/job}
     * @param costs its answer to {@code /v1/steps/K/costs}
     * @param ranks of the plan that is shown; figures of ranks are of use only if the job has as many
     */
    public static StepCosts of(JsonNode job, JsonNode costs, int ranks) {
        String name = "job " + job.path("job").asText();
        if (costs.path("samples").isEmpty()) {
            return none(
                    "%s has not decoded this step, or so long ago that it no longer knows"
                            .formatted(name));
        }
        Map<SampleRef, Long> nanos = new HashMap<>();
        for (JsonNode sample : costs.path("samples")) {
            SampleRef ref =
                    new SampleRef(sample.path("source").asInt(), sample.path("index").asLong());
            nanos.put(ref, sample.path("decode_nanos").asLong());
        }
        int jobRanks = job.path("ranks").asInt();
        if (jobRanks != ranks) {
            return new StepCosts(
                    "real costs: from %s, which has %d ranks: --ranks %d shows its plan"
                            .formatted(name, jobRanks, jobRanks),
                    nanos,
                    Map.of());
        }
        Map<Integer, String> words = new HashMap<>();
        for (JsonNode rank : costs.path("ranks")) {
            words.put(rank.path("rank").asInt(), words(rank));
        }
        return new StepCosts("real costs: from " + name, nanos, words);
    }

    private static String words(JsonNode rank) {
        long compute = rank.path("compute_nanos").asLong();
        String waited =
                String.format(
                        Locale.ROOT, "waited %.1f ms", rank.path("wait_nanos").asLong() / 1e6);
        return compute == 0
                ? waited
                : waited + String.format(Locale.ROOT, ", computed %.1f ms", compute / 1e6);
    }
}
