package io.headrace.runtime.job.engine;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.Supplier;

/** How well the engine predicts, and how the present step stands, in Prometheus' names. */
final class ScheduleMetrics {

    private ScheduleMetrics() {}

    static void register(PrometheusRegistry registry, Supplier<Map<String, Double>> view) {
        errors(
                registry,
                "headrace_cpu_prediction_error_ratio",
                "Error of the predicted time of a sample, |predicted - real| / real",
                "cpu_error",
                view);
        errors(
                registry,
                "headrace_window_prediction_error_ratio",
                "Error of the predicted compute window of a step, |predicted - real| / real",
                "window_error",
                view);
        gauge(
                registry,
                "headrace_window_predicted_seconds",
                "Predicted compute window of the step that the ranks compute",
                "window_seconds",
                view);
        gauge(
                registry,
                "headrace_step_slack_seconds",
                "Deadline - now - predicted remaining work of the first step that is not ready",
                "slack_seconds",
                view);
        CounterWithCallback.builder()
                .name("headrace_deadline_misses")
                .help("Ranks that waited more than 2 ms for a step")
                .callback(c -> c.call(view.get().getOrDefault("deadline_misses", 0.0)))
                .register(registry);
    }

    private static void errors(
            PrometheusRegistry registry,
            String name,
            String help,
            String key,
            Supplier<Map<String, Double>> view) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("quantile")
                .callback(
                        c -> {
                            Map<String, Double> now = view.get();
                            c.call(now.getOrDefault(key + "_p50", 0.0), "0.5");
                            c.call(now.getOrDefault(key + "_p95", 0.0), "0.95");
                        })
                .register(registry);
    }

    private static void gauge(
            PrometheusRegistry registry,
            String name,
            String help,
            String key,
            Supplier<Map<String, Double>> view) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(c -> c.call(view.get().getOrDefault(key, 0.0)))
                .register(registry);
    }
}
