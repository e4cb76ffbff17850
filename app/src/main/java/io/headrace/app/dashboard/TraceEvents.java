package io.headrace.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A look at a job as a trace that Perfetto and Chrome open: a row for each decode thread with the samples it worked on, a row for each
 * rank with its waits and compute windows, and the deadline of each step. Pure.
 *
 * <p>The form is the JSON of the Trace Event Format (Google, "Trace Event Format", complete and instant events; times in microseconds).
 */
public final class TraceEvents {

    private static final int DECODE = 1;
    private static final int RANKS = 2;
    private static final double NANOS_PER_MICRO = 1e3;

    private final ObjectMapper json = new ObjectMapper();
    private final ArrayNode events = json.createArrayNode();

    private TraceEvents() {}

    /**
     * The trace of an answer to {@code /v1/trace}.
     *
     * @param trace what the engine answered
     */
    public static JsonNode of(JsonNode trace) {
        TraceEvents events = new TraceEvents();
        events.decodeThreads(trace.path("spans"));
        events.ranks(trace.path("ranks"));
        ObjectNode all = events.json.createObjectNode();
        all.set("traceEvents", events.events);
        all.put("displayTimeUnit", "ms");
        all.putObject("otherData").put("job", trace.path("job").asText());
        return all;
    }

    private void decodeThreads(JsonNode spans) {
        name(DECODE, "process_name", 0, "decode threads");
        TreeSet<Integer> workers = new TreeSet<>();
        for (JsonNode span : spans) {
            int worker = span.path("worker").asInt();
            workers.add(worker);
            long start = span.path("start_nanos").asLong();
            ObjectNode args =
                    complete(
                            DECODE,
                            worker,
                            "step %d rank %d"
                                    .formatted(
                                            span.path("step").asLong(), span.path("rank").asInt()),
                            start,
                            span.path("end_nanos").asLong() - start);
            args.put("source", span.path("source").asInt());
            args.put("index", span.path("index").asLong());
        }
        workers.forEach(worker -> name(DECODE, "thread_name", worker, "decode " + worker));
    }

    private void ranks(JsonNode windows) {
        name(RANKS, "process_name", 0, "ranks");
        TreeSet<Integer> ranks = new TreeSet<>();
        Map<Long, Long> ends = new TreeMap<>();
        for (JsonNode window : windows) {
            int rank = window.path("rank").asInt();
            long step = window.path("step").asLong();
            long asked = window.path("asked_nanos").asLong();
            long wait = window.path("wait_nanos").asLong();
            long compute = window.path("compute_nanos").asLong();
            ranks.add(rank);
            complete(RANKS, rank, "wait for step " + step, asked, wait);
            if (compute > 0) {
                complete(RANKS, rank, "compute step " + step, asked + wait, compute);
                ends.merge(step, asked + wait + compute, Math::max);
            }
        }
        ranks.forEach(rank -> name(RANKS, "thread_name", rank, "rank " + rank));
        ends.forEach((step, end) -> deadline(step + 1, end));
    }

    /** A step is due when the slowest rank ends the step before. */
    private void deadline(long step, long atNanos) {
        ObjectNode event = events.addObject();
        event.put("ph", "i").put("s", "g").put("name", "deadline of step " + step);
        event.put("pid", RANKS).put("tid", 0).put("ts", atNanos / NANOS_PER_MICRO);
    }

    private ObjectNode complete(int process, int thread, String name, long start, long nanos) {
        ObjectNode event = events.addObject();
        event.put("ph", "X").put("name", name).put("pid", process).put("tid", thread);
        event.put("ts", start / NANOS_PER_MICRO).put("dur", nanos / NANOS_PER_MICRO);
        return event.putObject("args");
    }

    private void name(int process, String what, int thread, String name) {
        ObjectNode event = events.addObject();
        event.put("ph", "M").put("name", what).put("pid", process).put("tid", thread);
        event.putObject("args").put("name", name);
    }
}
