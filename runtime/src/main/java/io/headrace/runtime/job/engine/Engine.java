package io.headrace.runtime.job.engine;

import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.media.text.PromptEncoder;
import io.headrace.runtime.construct.ConstructorCommand;
import io.headrace.runtime.construct.ConstructorParts;
import io.headrace.runtime.construct.DecodePool;
import io.headrace.runtime.construct.JobCounters;
import io.headrace.runtime.construct.JobFailure;
import io.headrace.runtime.construct.Ledger;
import io.headrace.runtime.construct.PictureProcessors;
import io.headrace.runtime.construct.SampleErrors;
import io.headrace.runtime.construct.SampleWorker;
import io.headrace.runtime.construct.StepReports;
import io.headrace.runtime.construct.WaitBoard;
import io.headrace.runtime.construct.shape.RowLength;
import io.headrace.runtime.construct.shape.SampleShaper;
import io.headrace.runtime.construct.shape.StepShapes;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.deliver.DeliveryServer;
import io.headrace.runtime.deliver.slot.SlotPool;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.job.planner.PlannerJournal;
import io.headrace.runtime.load.Payloads;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one host: everything from the indexes to the socket, opened in order and closed in the reverse order. It runs until the
 * job fails, its last rank has gone, or it is told to stop.
 */
public final class Engine implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private volatile @Nullable EngineStore store;

    private Engine() {}

    /**
     * Starts an engine.
     *
     * @throws IOException if something that the recipe needs cannot be opened; the message names it
     */
    public static Engine start(Recipe recipe, EngineOptions options, SourceAccess access)
            throws IOException {
        Engine engine = new Engine();
        try {
            engine.open(recipe, options, access);
            return engine;
        } catch (IOException | RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /**
     * The opened data of a recipe; closed with the engine.
     *
     * @param prompts null where the recipe has no tokenizer
     */
    public record SourceAccess(
            IndexedSources sources, Payloads payloads, @Nullable PromptEncoder prompts) {}

    private void open(Recipe recipe, EngineOptions options, SourceAccess access)
            throws IOException {
        IndexedSources sources = access.sources();
        StepTensors tensors = StepTensors.of(recipe);
        JobCounters counters = new JobCounters();
        WaitBoard board = new WaitBoard(sources);
        Ledger ledger = opened(new Ledger(options.workFolder().resolve("ledger.jsonl")));
        SlotPool slots = opened(SlotPool.open(options.slots()));
        DecodePool<SampleWorker> pool = opened(decodePool(recipe, options, access, tensors));
        Membership membership = Membership.of(recipe, sources);
        Planner planner = new Planner(recipe.plan(), recipe.batch().microbatches());
        JobActors actors =
                opened(new JobActors(PlannerJournal.open(options.workFolder().resolve("planner"))));
        ActorRef<PlannerCommand> plannerRef =
                actors.planner(options.job(), membership, planner, recipe.topology());
        StepReports reports =
                new StepReports(
                        board,
                        new SampleErrors(recipe.errors(), sources, ledger),
                        counters,
                        plannerRef,
                        this::fail);
        ActorRef<ConstructorCommand> constructor =
                actors.constructor(
                        new ConstructorParts(
                                new ConstructorParts.Window(
                                        recipe.topology().dp(),
                                        recipe.delivery().readyAheadSteps()),
                                plannerRef,
                                shapes(recipe, sources, tensors),
                                slots,
                                pool,
                                reports));
        EngineStore store =
                new EngineStore(
                        new EngineStore.Actors(actors.system(), plannerRef, constructor),
                        JobReports.of(recipe, options, sources),
                        board,
                        counters,
                        this::end);
        this.store = store;
        opened(
                DeliveryServer.start(
                        options.delivery(),
                        store,
                        slots,
                        new PrometheusRegistry(),
                        () -> end("the last rank has gone")));
    }

    private static StepShapes shapes(Recipe recipe, IndexedSources sources, StepTensors tensors) {
        return new StepShapes(
                tensors,
                RowLength.of(recipe.process(), recipe.batch()),
                new SampleShaper(recipe.process(), PictureProcessors.of(recipe.process())),
                sources::descriptor);
    }

    private static DecodePool<SampleWorker> decodePool(
            Recipe recipe, EngineOptions options, SourceAccess access, StepTensors tensors) {
        SampleWorker.Shared shared =
                new SampleWorker.Shared(
                        recipe.process(),
                        access.payloads(),
                        access.prompts(),
                        recipe.sources().stream().map(Engine::selector).toList(),
                        tensors);
        int ranks = recipe.topology().dp();
        int cores =
                recipe.delivery().decodeThreads() > 0
                        ? recipe.delivery().decodeThreads()
                        : Runtime.getRuntime().availableProcessors();
        return new DecodePool<>(
                options.rankLocal() ? ranks : cores,
                options.rankLocal() ? ranks : 1,
                DecodePolicy.FIRST_STEP_FIRST,
                _ -> new SampleWorker(shared, PictureProcessors.of(recipe.process())));
    }

    /** Key of the caption within JSON: what follows the field's first dot, or the field itself in a list of samples. */
    private static String selector(SourceSpec source) {
        int dot = source.text().indexOf('.');
        return dot < 0 ? source.text() : source.text().substring(dot + 1);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    private void fail(JobFailure failure) {
        LOG.error("the job cannot go on: {}", failure.getMessage());
        EngineStore running = store;
        if (running != null) {
            running.state("failed: " + failure.getMessage());
        }
    }

    private void end(String reason) {
        ended.complete(reason);
    }

    /** Completes with the reason when the engine is to be closed. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable resource = opened.pop();
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("{} did not close: {}", resource.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
