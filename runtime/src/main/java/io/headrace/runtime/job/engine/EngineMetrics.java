package io.headrace.runtime.job.engine;

import io.headrace.runtime.construct.WaitBoard;
import io.headrace.runtime.construct.progress.JobCounters;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.DoubleSupplier;

/** What the engine counts beside delivery, in Prometheus' names: totals of the job, steps ready for each rank, evenness of the plan. */
final class EngineMetrics {

    private EngineMetrics() {}

    static void register(
            PrometheusRegistry registry,
            JobCounters counters,
            WaitBoard board,
            DoubleSupplier readRetries) {
        total(
                registry,
                "headrace_decoded_samples",
                "Samples decoded",
                counter(counters, "decoded_samples"));
        total(
                registry,
                "headrace_decode_seconds",
                "CPU time of decode workers",
                counter(counters, "decode_seconds"));
        total(
                registry,
                "headrace_masked_samples",
                "Samples masked, see the ledger",
                counter(counters, "masked_samples"));
        total(
                registry,
                "headrace_left_out_samples",
                "Samples that fit no pack or no last step",
                counter(counters, "left_out_samples"));
        total(registry, "headrace_read_retries", "Reads that were tried again", readRetries);
        GaugeWithCallback.builder()
                .name("headrace_plan_imbalance_ratio")
                .help("Heaviest rank over the mean, predicted, of the step planned last")
                .callback(c -> c.call(counters.view().getOrDefault("imbalance", 1.0)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("headrace_ready_steps")
                .help("Complete steps held for a rank")
                .labelNames("rank")
                .callback(
                        c -> {
                            List<Integer> ready = board.readySteps();
                            for (int rank = 0; rank < ready.size(); rank++) {
                                c.call(ready.get(rank), String.valueOf(rank));
                            }
                        })
                .register(registry);
    }

    private static DoubleSupplier counter(JobCounters counters, String name) {
        return () -> counters.view().getOrDefault(name, 0.0);
    }

    private static void total(
            PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(c -> c.call(value.getAsDouble()))
                .register(registry);
    }
}
