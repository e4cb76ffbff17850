package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.report.JobHistory;
import io.headrace.runtime.deliver.report.StoreStatus;
import io.headrace.runtime.deliver.slot.SlotPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All endpoints under {@code /v1}, and {@code /metrics}. A step that is ready is answered on Jetty's own thread, which saves a change of
 * threads; all else is plain blocking code on a virtual thread of its own.
 */
final class Routes extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final Pattern STEP = Pattern.compile("/v1/ranks/(\\d{1,6})/steps/(\\d{1,18})");
    private static final Pattern COSTS = Pattern.compile("/v1/steps/(\\d{1,18})/costs");
    private static final Pattern LEASE = Pattern.compile("/v1/ranks/(\\d{1,6})/leases/(\\d{1,18})");

    private static final long TRACED_STEPS = 32;

    private final StepStore store;
    private final SlotPool pool;
    private final StepRoute steps;
    private final List<RankClock> clocks;
    private final JobHistory history;
    private final DeliveryMetrics metrics;
    private final Clients clients;

    Routes(
            StepStore store,
            SlotPool pool,
            StepRoute steps,
            JobHistory history,
            DeliveryMetrics metrics,
            Clients clients) {
        super(InvocationType.NON_BLOCKING);
        this.store = store;
        this.pool = pool;
        this.steps = steps;
        this.clocks = steps.clocks();
        this.history = history;
        this.metrics = metrics;
        this.clients = clients;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(request, response);
        try {
            boolean isRank = exchange.header("Headrace-Client").isPresent();
            if (isRank && !clients.welcome(exchange.connection())) {
                exchange.send(Reply.error(503, "ending", "The engine is ending"), callback);
                return true;
            }
            Matcher step = STEP.matcher(exchange.path());
            if (exchange.method().equals("GET") && step.matches()) {
                int rank = Integer.parseInt(step.group(1));
                step(exchange, callback, rank, Long.parseLong(step.group(2)));
            } else {
                apart(exchange, callback, () -> exchange.send(reply(exchange)));
            }
        } catch (RuntimeException e) {
            fail(exchange, callback, e);
        }
        return true;
    }

    private void step(Exchange exchange, Callback callback, int rank, long step) {
        if (rank >= clocks.size()) {
            exchange.send(noRank(rank), callback);
            return;
        }
        StepRoute.Asked asked = steps.ask(exchange, rank, step);
        Optional<Reply> ready = steps.atOnce(exchange, asked);
        if (ready.isPresent()) {
            exchange.send(ready.get(), callback);
        } else {
            apart(exchange, callback, () -> steps.await(exchange, asked));
        }
    }

    /** What may block. */
    private interface Blocking {
        void run() throws IOException, InterruptedException;
    }

    private static void apart(Exchange exchange, Callback callback, Blocking work) {
        Thread.ofVirtual()
                .name("delivery-request")
                .start(
                        () -> {
                            try {
                                work.run();
                                callback.succeeded();
                            } catch (InterruptedException e) {
                                callback.failed(e);
                            } catch (IOException | RuntimeException e) {
                                fail(exchange, callback, e);
                            }
                        });
    }

    private static void fail(Exchange exchange, Callback callback, Exception failure) {
        if (exchange.isCommitted()) {
            LOG.debug("{} {} broke off", exchange.method(), exchange.path(), failure);
            callback.failed(failure);
            return;
        }
        boolean asked = failure instanceof IllegalArgumentException;
        if (!asked) {
            LOG.warn("{} {} failed", exchange.method(), exchange.path(), failure);
        }
        String message = String.valueOf(failure.getMessage());
        exchange.send(
                Reply.error(asked ? 400 : 500, asked ? "request" : "stop", message), callback);
    }

    private Reply reply(Exchange exchange) throws IOException {
        Matcher lease = LEASE.matcher(exchange.path());
        Matcher costs = COSTS.matcher(exchange.path());
        if (costs.matches() && exchange.method().equals("GET")) {
            return costs(Long.parseLong(costs.group(1)));
        }
        return lease.matches() && exchange.method().equals("DELETE")
                ? release(
                        exchange, Integer.parseInt(lease.group(1)), Long.parseLong(lease.group(2)))
                : plain(exchange);
    }

    private Reply noRank(int rank) {
        return Reply.error(
                404, "request", "Rank %d of a job of %d ranks".formatted(rank, clocks.size()));
    }

    private Reply release(Exchange exchange, int rank, long id) {
        if (rank >= clocks.size()) {
            return noRank(rank);
        }
        return steps.release(exchange, rank, id)
                ? Reply.json(200, Map.of("released", id))
                : Reply.error(404, "lease", "Rank %d holds no lease %d".formatted(rank, id));
    }

    /** What a step has really cost, as far as it is still known. */
    private Reply costs(long step) {
        List<RankClock.OfStep> ranks = new ArrayList<>();
        for (int rank = 0; rank < clocks.size(); rank++) {
            clocks.get(rank).ofStep(rank, step).ifPresent(ranks::add);
        }
        return Reply.json(
                200, Map.of("step", step, "ranks", ranks, "samples", history.ofStep(step)));
    }

    private Reply plain(Exchange exchange) throws IOException {
        return switch (exchange.method() + " " + exchange.path()) {
            case "GET /v1/job" -> Reply.json(200, store.job());
            case "GET /v1/state" ->
                    Reply.document(
                            store.checkpoint(
                                    exchange.parameter("step").orElse(store.job().nextStep())));
            case "POST /v1/state" ->
                    Reply.json(200, Map.of("step", store.restore(exchange.body())));
            case "GET /v1/status" -> Reply.json(200, status());
            case "GET /v1/trace" ->
                    Reply.json(200, trace(exchange.parameter("steps").orElse(TRACED_STEPS)));
            case "GET /metrics" -> metrics.text();
            case "POST /v1/shutdown" -> {
                store.stop("shutdown was asked for");
                yield Reply.json(202, Map.of("stopping", true));
            }
            default ->
                    Reply.error(
                            404,
                            "request",
                            "No such endpoint: " + exchange.method() + " " + exchange.path());
        };
    }

    /** What the pool and the ranks did in the last so many steps. */
    private Map<String, Object> trace(long steps) {
        long last = clocks.stream().mapToLong(RankClock::delivered).max().orElse(-1);
        long first = last - Math.min(steps, RankClock.STEPS) + 1;
        List<RankClock.OfStep> windows = new ArrayList<>();
        for (int rank = 0; rank < clocks.size(); rank++) {
            windows.addAll(clocks.get(rank).since(rank, first));
        }
        List<JobHistory.DecodeSpan> spans =
                history.spans().stream().filter(span -> span.step() >= first).toList();
        return Map.of("job", store.job().job(), "ranks", windows, "spans", spans);
    }

    private Map<String, Object> status() {
        StoreStatus status = store.status();
        List<RankClock.View> ranks = new ArrayList<>();
        for (int rank = 0; rank < clocks.size(); rank++) {
            int ahead = rank < status.readyAhead().size() ? status.readyAhead().get(rank) : 0;
            ranks.add(clocks.get(rank).view(rank, ahead));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("job", store.job().job());
        all.put("state", status.state());
        all.put("planned_step", status.plannedStep());
        all.put("ranks", ranks);
        all.put("clients", clients.count());
        all.put(
                "slots",
                Map.of(
                        "in_use", pool.slotsInUse(),
                        "free", pool.slotsFree(),
                        "reserved_bytes", pool.reservedBytes(),
                        "limit_bytes", pool.limitBytes()));
        all.put("counters", status.counters());
        all.put("late", history.late());
        return all;
    }
}
