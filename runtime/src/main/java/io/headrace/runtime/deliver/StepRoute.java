package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/ranks/R/steps/K}: waits for a step, bounded, and hands it out under a lease. The request may release the rank's last
 * lease and tell its last compute window. Runs on the virtual thread of the request.
 */
final class StepRoute {
    /** A slot may be retired between the store's answer and the lease; then the store is asked again. */
    private static final int ATTEMPTS = 3;

    private final StepStore store;
    private final LeaseTable leases;
    private final List<RankClock> clocks;
    private final DeliveryMetrics metrics;
    private final Duration longestWait;
    private final LongSupplier nanoClock;

    StepRoute(
            StepStore store,
            LeaseTable leases,
            List<RankClock> clocks,
            DeliveryMetrics metrics,
            Duration longestWait,
            LongSupplier nanoClock) {
        this.store = store;
        this.leases = leases;
        this.clocks = clocks;
        this.metrics = metrics;
        this.longestWait = longestWait;
        this.nanoClock = nanoClock;
    }

    void handle(Exchange exchange, int rank, long step) throws IOException, InterruptedException {
        exchange.number("Headrace-Release").ifPresent(id -> release(exchange, rank, id));
        long began = nanoClock.getAsLong();
        long waitNanos =
                Math.min(
                        longestWait.toNanos(),
                        TimeUnit.MILLISECONDS.toNanos(
                                exchange.number("Headrace-Wait-Millis").orElse(Long.MAX_VALUE)));
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                CompletableFuture<StepAnswer> asked = store.step(rank, step).toCompletableFuture();
                switch (asked.get(waitNanos, TimeUnit.NANOSECONDS)) {
                    case StepAnswer.End end -> {
                        exchange.send(Reply.json(410, Map.of("end", end)));
                        return;
                    }
                    case StepAnswer.Ready ready -> {
                        Optional<ClientId> client =
                                exchange.header("Headrace-Client").flatMap(ClientId::parse);
                        Optional<Lease> lease =
                                leases.grant(ready.slot(), exchange.connection(), client);
                        if (lease.isPresent()) {
                            answered(rank, step, nanoClock.getAsLong() - began);
                            send(exchange, lease.get());
                            return;
                        }
                    }
                }
            }
            exchange.send(waiting(rank, step));
        } catch (TimeoutException e) {
            exchange.send(waiting(rank, step));
        } catch (ExecutionException e) {
            exchange.send(Reply.error(500, "stop", message(e)));
        }
    }

    private void answered(int rank, long step, long nanos) {
        clocks.get(rank).answered(step, nanos);
        metrics.waited(rank, nanos);
    }

    private static void send(Exchange exchange, Lease lease) throws IOException {
        String accept = exchange.header("Accept").orElse("*/*");
        if (accept.contains("application/octet-stream")) {
            exchange.sendBytes(
                    lease.memory(), lease.id(), StepHandle.header(lease.slot().layout()));
        } else if (exchange.isLocal()) {
            exchange.send(Reply.json(200, StepHandle.of(lease)));
        } else {
            exchange.send(
                    Reply.error(
                            406, "request", "Over TCP a step comes as application/octet-stream"));
        }
    }

    private Reply waiting(int rank, long step) {
        return Reply.json(503, Map.of("waiting", store.waiting(rank, step)));
    }

    private static String message(ExecutionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }

    /** Ends a lease; empty if it is not open. */
    boolean release(Exchange exchange, int rank, long id) {
        Optional<Lease> lease = leases.release(rank, id);
        OptionalLong computeNanos = exchange.number("Headrace-Compute-Nanos");
        lease.ifPresent(
                l -> {
                    clocks.get(rank).computed(computeNanos);
                    store.consumed(rank, l.slot().step(), computeNanos);
                });
        return lease.isPresent();
    }
}
