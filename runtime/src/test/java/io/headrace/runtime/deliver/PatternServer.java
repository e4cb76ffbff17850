package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.slot.Backing;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.deliver.slot.SlotSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The real server over a {@link PatternStore} as a process of its own, for tests that kill it and for those of the Python client.
 * Arguments are {@code key=value}; "ready" and the TCP port are printed when it listens.
 */
final class PatternServer {

    private PatternServer() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> given = new HashMap<>();
        for (String arg : args) {
            given.put(arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
        }
        String job = given.getOrDefault("job", "pattern");
        SlotSettings slots =
                new SlotSettings(
                        job,
                        Backing.valueOf(given.getOrDefault("backing", "MEMORY")),
                        Path.of(given.getOrDefault("folder", "/dev/shm")),
                        number(given, "limit", 256L << 20));
        PatternStore.Options options =
                new PatternStore.Options(
                        job,
                        (int) number(given, "ranks", 1),
                        (int) number(given, "microbatches", 1),
                        (int) number(given, "samples", 3),
                        number(given, "steps", -1),
                        new PatternStore.Faults(
                                number(given, "fail", -1),
                                number(given, "hang", -1),
                                given.containsKey("levels")));
        serve(given, slots, options);
    }

    private static void serve(
            Map<String, String> given, SlotSettings slots, PatternStore.Options options)
            throws Exception {
        Path socket = Path.of(given.getOrDefault("socket", ""));
        DeliverySettings settings =
                DeliverySettings.local(socket)
                        .withLongestWait(Duration.ofMillis(number(given, "wait", 500)));
        if (given.containsKey("token")) {
            settings = settings.withTcp("127.0.0.1", 0, given.getOrDefault("token", ""));
        }
        if (given.containsKey("grace")) {
            settings = settings.withClientGrace(Duration.ofMillis(number(given, "grace", 0)));
        }
        try (SlotPool pool = SlotPool.open(slots)) {
            PatternStore store = new PatternStore(pool, options);
            try (DeliveryServer server =
                    DeliveryServer.start(
                            settings,
                            store,
                            pool,
                            new PrometheusRegistry(),
                            JobHistory.NONE,
                            () -> store.stop("deserted"))) {
                System.out.println("ready " + server.tcpPort());
                store.awaitStop();
            }
        }
    }

    private static long number(Map<String, String> given, String key, long otherwise) {
        return Long.parseLong(given.getOrDefault(key, String.valueOf(otherwise)));
    }
}
