package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.SlotPool;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;

/** What the delivery server counts, registered with the engine's own metrics. */
final class DeliveryMetrics {
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrometheusRegistry registry;
    private final Histogram inputWait;
    private final Counter takenBack;

    DeliveryMetrics(PrometheusRegistry registry, SlotPool pool, IntSupplier openLeases) {
        this.registry = registry;
        this.inputWait =
                Histogram.builder()
                        .name("headrace_input_wait_seconds")
                        .help("Time from a rank's request to its step")
                        .labelNames("rank")
                        .register(registry);
        this.takenBack =
                Counter.builder()
                        .name("headrace_leases_taken_back_total")
                        .help("Leases that ended with their rank and not by release")
                        .register(registry);
        gauge("headrace_leases_open", "Leases that ranks hold", openLeases::getAsInt);
        gauge("headrace_slots_in_use", "Slots being written or held", pool::slotsInUse);
        gauge("headrace_slots_free", "Slots kept for reuse", pool::slotsFree);
        gauge("headrace_slots_reserved_bytes", "Memory of all slots", pool::reservedBytes);
        gauge("headrace_slots_limit_bytes", "Limit of the memory of all slots", pool::limitBytes);
    }

    private void gauge(String name, String help, java.util.function.LongSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call((double) value.getAsLong()))
                .register(registry);
    }

    void waited(int rank, long nanos) {
        inputWait.labelValues(String.valueOf(rank)).observe(nanos / NANOS_PER_SECOND);
    }

    void tookBack(int leases) {
        takenBack.inc(leases);
    }

    /** All metrics of the registry in the text format of Prometheus. */
    Reply text() {
        PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Reply(
                200, PrometheusTextFormatWriter.CONTENT_TYPE, ByteBuffer.wrap(out.toByteArray()));
    }
}
