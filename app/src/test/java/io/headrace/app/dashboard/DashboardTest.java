package io.headrace.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What top and trace make of the engine's answers. */
class DashboardTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String TRACE =
            """
            {"job": "j",
             "spans": [{"step": 4, "rank": 1, "source": 0, "index": 7, "worker": 1, "start_nanos": 2000000, "end_nanos": 5000000}],
             "ranks": [
               {"rank": 0, "step": 4, "asked_nanos": 1000000, "wait_nanos": 500000, "compute_nanos": 6000000},
               {"rank": 1, "step": 4, "asked_nanos": 1000000, "wait_nanos": 4000000, "compute_nanos": 6000000}]}
            """;

    @Test
    void aTraceHasTheWorkTheWindowsAndTheDeadlineThatTheSlowestRankSets() throws IOException {
        JsonNode events = TraceEvents.of(JSON.readTree(TRACE)).path("traceEvents");
        assertThat(named(events, "X", "step 4 rank 1")).containsExactly("1/1 2000.0+3000.0");
        assertThat(named(events, "X", "wait for step 4"))
                .containsExactly("2/0 1000.0+500.0", "2/1 1000.0+4000.0");
        assertThat(named(events, "X", "compute step 4"))
                .containsExactly("2/0 1500.0+6000.0", "2/1 5000.0+6000.0");
        assertThat(named(events, "i", "deadline of step 5")).containsExactly("2/0 11000.0+0.0");
    }

    private static List<String> named(JsonNode events, String kind, String name) {
        List<String> found = new ArrayList<>();
        for (JsonNode event : events) {
            if (event.path("ph").asText().equals(kind)
                    && event.path("name").asText().equals(name)) {
                found.add(
                        "%d/%d %s+%s"
                                .formatted(
                                        event.path("pid").asInt(),
                                        event.path("tid").asInt(),
                                        event.path("ts").asDouble(),
                                        event.path("dur").asDouble()));
            }
        }
        return found;
    }

    private static JsonNode status(double loading, double decoding, double waited, long slotBytes)
            throws IOException {
        return JSON.readTree(
                """
                {"job": "j", "state": "running", "planned_step": 9,
                 "counters": {"decode_threads": 2, "loading_seconds": %s, "decoding_seconds": %s, "tokenizing_seconds": 0},
                 "slots": {"reserved_bytes": %d, "limit_bytes": 1000},
                 "ranks": [{"rank": 0, "wait_nanos": %s}],
                 "late": [{"rank": 0, "step": 8, "sample": "web:7", "file": "a.tar", "decode_nanos": 2500000}]}
                """
                        .formatted(loading, decoding, slotBytes, waited * 1e9));
    }

    private static String verdict(double loading, double decoding, double waited, long slotBytes)
            throws IOException {
        JsonNode now = status(loading, decoding, waited, slotBytes);
        return Bottleneck.between(status(0, 0, 0, 0), now, 10).verdict();
    }

    @Test
    void theVerdictNamesWhatHoldsTheJobBack() throws IOException {
        assertThat(verdict(1, 18, 0.05, 100)).startsWith("the accelerators");
        assertThat(verdict(1, 18, 5, 100)).startsWith("decoding: the decode threads are 95 % busy");
        assertThat(verdict(17, 2, 5, 100)).startsWith("loading: the decode threads are 95 % busy");
        assertThat(verdict(1, 4, 5, 990)).startsWith("slot memory");
        assertThat(verdict(4, 1, 5, 100)).startsWith("reading");
        assertThat(verdict(1, 4, 5, 100))
                .startsWith("uneven steps: ranks wait though decode threads are idle 75 %");
    }

    @Test
    void theTableHasTheVerdictAndTheLateSamples() throws IOException {
        List<String> lines = StatusTable.lines(status(1, 18, 5, 100), status(0, 0, 0, 0), 10);
        assertThat(lines)
                .contains(
                        "decode threads: 95 % busy, decoding 90 %, loading 5 %, tokenizing 0 %; ranks wait 50 %",
                        "  rank 0 step 8: web:7 in a.tar took 2.5 ms");
    }
}
