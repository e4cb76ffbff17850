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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/ranks/R/steps/K}: waits for a step, bounded, and hands it out under a lease. The request may release the rank's last
 * lease and tell its last compute window. A ready step is answered on the thread that read the request, which must not block; any other
 * on a virtual thread.
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

    List<RankClock> clocks() {
        return clocks;
    }

    /** A step that was asked for at a time of the clock, how long it may take, and the store's answer to come. */
    record Asked(
            int rank,
            long step,
            long atNanos,
            long waitNanos,
            CompletableFuture<StepAnswer> answer) {}

    /** Releases what the request releases and asks the store. Does not wait. */
    Asked ask(Exchange exchange, int rank, long step) {
        exchange.number("Headrace-Release").ifPresent(id -> release(exchange, rank, id));
        return new Asked(
                rank,
                step,
                nanoClock.getAsLong(),
                waitNanos(exchange),
                store.step(rank, step).toCompletableFuture());
    }

    /** The answer if the step is ready and goes by handle, so that nothing of it can block. */
    Optional<Reply> atOnce(Exchange exchange, Asked asked) {
        if (asked.answer().state() != Future.State.SUCCESS || exchange.wantsBytes()) {
            return Optional.empty();
        }
        return switch (asked.answer().resultNow()) {
            case StepAnswer.End end -> Optional.of(Reply.json(410, Map.of("end", end)));
            case StepAnswer.Ready ready ->
                    grant(exchange, ready).map(lease -> handle(exchange, asked, lease));
        };
    }

    /** Waits for the answer, within the limit, and sends it. */
    void await(Exchange exchange, Asked first) throws IOException, InterruptedException {
        Asked asked = first;
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                StepAnswer answer = asked.answer().get(asked.waitNanos(), TimeUnit.NANOSECONDS);
                if (answer instanceof StepAnswer.Ready ready && exchange.wantsBytes()) {
                    Optional<Lease> lease = grant(exchange, ready);
                    if (lease.isPresent()) {
                        answered(asked);
                        exchange.sendBytes(lease.get());
                        return;
                    }
                }
                Optional<Reply> reply = atOnce(exchange, asked);
                if (reply.isPresent()) {
                    exchange.send(reply.get());
                    return;
                }
                asked =
                        new Asked(
                                asked.rank(),
                                asked.step(),
                                asked.atNanos(),
                                asked.waitNanos(),
                                store.step(asked.rank(), asked.step()).toCompletableFuture());
            }
            exchange.send(waiting(asked));
        } catch (TimeoutException e) {
            exchange.send(waiting(asked));
        } catch (ExecutionException e) {
            exchange.send(Reply.error(500, "stop", message(e)));
        }
    }

    private long waitNanos(Exchange exchange) {
        long millis = exchange.number("Headrace-Wait-Millis").orElse(Long.MAX_VALUE);
        return Math.min(longestWait.toNanos(), TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private Optional<Lease> grant(Exchange exchange, StepAnswer.Ready ready) {
        Optional<ClientId> client = exchange.header("Headrace-Client").flatMap(ClientId::parse);
        return leases.grant(ready.slot(), exchange.connection(), client);
    }

    private Reply handle(Exchange exchange, Asked asked, Lease lease) {
        answered(asked);
        return exchange.isLocal()
                ? Reply.json(200, StepHandle.of(lease))
                : Reply.error(406, "request", "Over TCP a step comes as application/octet-stream");
    }

    private void answered(Asked asked) {
        long nanos = nanoClock.getAsLong() - asked.atNanos();
        clocks.get(asked.rank()).answered(asked.step(), asked.atNanos(), nanos);
        metrics.waited(asked.rank(), nanos);
        store.delivered(asked.rank(), asked.step(), nanos);
    }

    private Reply waiting(Asked asked) {
        return Reply.json(503, Map.of("waiting", store.waiting(asked.rank(), asked.step())));
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
        OptionalLong ownNanos = exchange.number("Headrace-Own-Nanos");
        lease.ifPresent(
                l -> {
                    clocks.get(rank).computed(l.slot().step(), computeNanos);
                    store.consumed(rank, l.slot().step(), computeNanos, ownNanos);
                });
        return lease.isPresent();
    }
}
