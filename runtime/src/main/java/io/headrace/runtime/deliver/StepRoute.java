package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/ranks/R/steps/K}: waits for a step, bounded, and hands it out under a lease. The request may release the rank's last
 * lease and tell its last compute window. A rank may ask ahead: as soon as it has a step it asks for the next, so that the answer lies
 * there when it comes for it; it then tells with a later request when it took the step and how long it waited. A ready step is answered on the thread that read the request, which must not block; any other
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

    /**
     * A step that was asked for, and the store's answer to come.
     *
     * @param ahead whether the rank does not wait for it yet
     * @param atNanos since when the rank waits, by the clock
     * @param limitNanos how long the answer may take
     */
    record Asked(
            int rank,
            long step,
            boolean ahead,
            long atNanos,
            long limitNanos,
            CompletableFuture<StepAnswer> answer) {}

    /** Releases what the request releases and asks the store. Does not wait. */
    Asked ask(Exchange exchange, int rank, long step) {
        exchange.number("Headrace-Release").ifPresent(id -> release(exchange, rank, id));
        long waited = exchange.number("Headrace-Waited-Nanos").orElse(0);
        long since = nanoClock.getAsLong() - waited;
        exchange.number("Headrace-Taken").ifPresent(taken -> took(rank, taken, since, true));
        boolean ahead = exchange.header("Headrace-Ahead").isPresent();
        return asked(rank, step, ahead, since, limitNanos(exchange));
    }

    private Asked asked(int rank, long step, boolean ahead, long atNanos, long limitNanos) {
        CompletionStage<StepAnswer> answer =
                ahead ? store.ahead(rank, step) : store.step(rank, step);
        return new Asked(rank, step, ahead, atNanos, limitNanos, answer.toCompletableFuture());
    }

    /** The answer if the step is ready and goes by handle, so that nothing of it can block. */
    Optional<Reply> atOnce(Exchange exchange, Asked asked) {
        if (asked.answer().state() != Future.State.SUCCESS || exchange.wantsBytes()) {
            return Optional.empty();
        }
        return switch (asked.answer().resultNow()) {
            case StepAnswer.End end -> Optional.of(Reply.json(410, Map.of("end", end)));
            case StepAnswer.NotYet _ -> Optional.of(waiting(asked));
            case StepAnswer.Ready ready ->
                    grant(exchange, ready).map(lease -> handle(exchange, asked, lease));
        };
    }

    /** Waits for the answer, within the limit, and sends it. */
    void await(Exchange exchange, Asked first) throws IOException, InterruptedException {
        Asked asked = first;
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                StepAnswer answer = asked.answer().get(asked.limitNanos(), TimeUnit.NANOSECONDS);
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
                        asked(
                                asked.rank(),
                                asked.step(),
                                asked.ahead(),
                                asked.atNanos(),
                                asked.limitNanos());
            }
            exchange.send(waiting(asked));
        } catch (TimeoutException e) {
            exchange.send(waiting(asked));
        } catch (ExecutionException e) {
            exchange.send(Reply.error(500, "stop", message(e)));
        }
    }

    private long limitNanos(Exchange exchange) {
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
        if (!asked.ahead()) {
            took(asked.rank(), asked.step(), asked.atNanos(), false);
        }
    }

    /** A rank has now got a step for which it has waited since a time of the clock. */
    private void took(int rank, long step, long sinceNanos, boolean ahead) {
        long nanos = nanoClock.getAsLong() - sinceNanos;
        clocks.get(rank).answered(step, sinceNanos, nanos);
        metrics.waited(rank, nanos);
        store.delivered(rank, step, nanos, ahead);
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
