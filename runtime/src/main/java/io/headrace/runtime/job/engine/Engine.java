package io.headrace.runtime.job.engine;

import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.construct.ConstructorCommand;
import io.headrace.runtime.construct.ConstructorParts;
import io.headrace.runtime.construct.JobFailure;
import io.headrace.runtime.construct.Ledger;
import io.headrace.runtime.construct.ReadySteps;
import io.headrace.runtime.construct.SampleErrors;
import io.headrace.runtime.construct.SampleWorker;
import io.headrace.runtime.construct.StepReports;
import io.headrace.runtime.construct.WaitBoard;
import io.headrace.runtime.construct.decode.DecodePool;
import io.headrace.runtime.construct.progress.JobCounters;
import io.headrace.runtime.construct.schedule.CoSchedule;
import io.headrace.runtime.construct.shape.CpuParts;
import io.headrace.runtime.construct.shape.MediaProcessors;
import io.headrace.runtime.construct.shape.RowLength;
import io.headrace.runtime.construct.shape.SampleShaper;
import io.headrace.runtime.construct.shape.StepShapes;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.deliver.DeliveryServer;
import io.headrace.runtime.deliver.SocketFolder;
import io.headrace.runtime.deliver.latency.Rehearsal;
import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.job.planner.PlannerJournal;
import io.headrace.runtime.load.LoaderPayloads;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one host: everything from the indexes to the socket, opened in order and closed in the reverse order. It serves until its
 * last rank has gone or it is told to stop; after a failure it still answers, with the failure.
 */
public final class Engine implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final long CLOSE_SECONDS = 20;

    private final Recipe recipe;
    private final EngineOptions options;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int decodeThreads;
    private final CoSchedule<SampleWorker> schedule;
    private final JobCounters counters;
    private final ReadySteps ready = new ReadySteps();
    private volatile @Nullable EngineStore store;

    private Engine(Recipe recipe, EngineOptions options) {
        this.recipe = recipe;
        this.options = options;
        this.decodeThreads = decodeThreads(recipe, options);
        this.counters = new JobCounters(decodeThreads);
        this.schedule =
                new CoSchedule<>(recipe.plan(), recipe.delivery().schedule(), decodeThreads);
    }

    /** Those of the recipe, else the cores of the cgroup; rank-local pools have one thread a rank. */
    private static int decodeThreads(Recipe recipe, EngineOptions options) {
        int wanted = recipe.delivery().decodeThreads();
        return options.ablation().rankLocal()
                ? recipe.topology().dp()
                : wanted > 0 ? wanted : Runtime.getRuntime().availableProcessors();
    }

    /**
     * Starts an engine.
     *
     * @throws IOException if something that the recipe needs cannot be opened; the message names it
     */
    public static Engine start(Recipe recipe, EngineOptions options) throws IOException {
        Engine engine = new Engine(recipe, options);
        try {
            engine.open();
            return engine;
        } catch (IOException | RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private void open() throws IOException {
        JobFolder folder =
                opened(
                        JobFolder.open(
                                options.workFolder(),
                                () -> SocketFolder.isAlive(options.delivery().socket())));
        JobData data = opened(JobData.open(recipe, folder.path()));
        JobReport report = JobReports.of(recipe, options, data.sources());
        WaitBoard board = new WaitBoard(data.sources());
        PrometheusRegistry registry = new PrometheusRegistry();
        JobActors actors = opened(new JobActors(PlannerJournal.open(folder.journal())));
        SlotPool slots = opened(SlotPool.open(options.slots()));
        ActorRef<PlannerCommand> planner =
                actors.planner(
                        options.job() + "-" + report.fingerprint(),
                        Membership.of(recipe, data.sources()),
                        new Planner(recipe.plan(), recipe.batch().microbatches()),
                        recipe.topology());
        LoaderPayloads payloads =
                new LoaderPayloads(actors.system(), actors.loaders(data.readers()));
        Ledger ledger = opened(new Ledger(folder.ledger()));
        ActorRef<ConstructorCommand> constructor =
                actors.constructor(parts(data, payloads, planner, slots, board, ledger));
        EngineMetrics.register(registry, counters, board, payloads::retries);
        ScheduleMetrics.register(registry, schedule::view);
        EngineStore serving =
                new EngineStore(
                        new EngineStore.Actors(actors.system(), planner, constructor),
                        report,
                        board,
                        ready,
                        counters,
                        schedule,
                        this::end);
        store = serving;
        opened(
                DeliveryServer.start(
                        options.delivery(),
                        serving,
                        slots,
                        registry,
                        counters.history(),
                        () -> end("the last rank has gone")));
        opened(Rehearsal.of(options.delivery().socket()));
    }

    private ConstructorParts parts(
            JobData data,
            LoaderPayloads payloads,
            ActorRef<PlannerCommand> planner,
            SlotPool slots,
            WaitBoard board,
            Ledger ledger) {
        StepTensors tensors = StepTensors.of(recipe);
        SampleWorker.Shared shared =
                new SampleWorker.Shared(
                        recipe.process(),
                        payloads,
                        data.vocabulary().prompts(),
                        tensors,
                        options.ablation().decodeFactor());
        return new ConstructorParts(
                new ConstructorParts.Window(
                        recipe.topology().dp(),
                        recipe.delivery().readyAheadSteps(),
                        !options.ablation().wholeSamples()),
                planner,
                new StepShapes(
                        tensors,
                        RowLength.of(recipe.process(), recipe.batch()),
                        new SampleShaper(
                                recipe.process(),
                                recipe.batch(),
                                MediaProcessors.of(recipe.process())),
                        data.sources()::descriptor),
                slots,
                opened(decodePool(shared)),
                new StepReports(
                        board,
                        ready,
                        new SampleErrors(
                                recipe.errors(),
                                data.sources(),
                                data.sources()::descriptor,
                                ledger),
                        counters,
                        planner,
                        recipe.plan(),
                        new StepReports.Learnt(schedule, new CpuParts(recipe.process())),
                        this::fail));
    }

    private DecodePool<SampleWorker> decodePool(SampleWorker.Shared shared) {
        int lanes = options.ablation().rankLocal() ? recipe.topology().dp() : 1;
        DecodePool<SampleWorker> pool =
                new DecodePool<>(
                        decodeThreads,
                        lanes,
                        schedule.queues(lanes),
                        worker ->
                                new SampleWorker(
                                        worker, shared, MediaProcessors.of(recipe.process())));
        schedule.serve(pool);
        return pool;
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    private void fail(JobFailure failure) {
        Throwable cause = failure.getCause();
        LOG.error(
                "the job cannot go on: {}",
                failure.getMessage(),
                cause instanceof RuntimeException ? cause : null);
        EngineStore serving = store;
        if (serving != null) {
            serving.state("failed: " + failure.getMessage());
        }
    }

    private void end(String reason) {
        ended.complete(reason);
    }

    /** Ends on a signal to the process, which is held until the engine is closed, within a bound. */
    public void endOnSignal() {
        Thread hook =
                Thread.ofPlatform()
                        .name("headrace-signal")
                        .unstarted(
                                () -> {
                                    end("a signal");
                                    awaitClosed();
                                });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void awaitClosed() {
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("not closed within {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Completes with the reason when the engine is to be closed. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    @Override
    public void close() {
        schedule.costs().forEach(line -> LOG.info("CPU cost of {}", line));
        while (!opened.isEmpty()) {
            AutoCloseable resource = opened.pop();
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("{} did not close: {}", resource.getClass().getSimpleName(), e.toString());
            }
        }
        closed.countDown();
    }
}
