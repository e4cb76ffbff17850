package io.headrace.runtime.job.engine;

import io.headrace.engine.plan.Checkpoint;
import io.headrace.runtime.construct.ConstructorCommand;
import io.headrace.runtime.construct.ReadySteps;
import io.headrace.runtime.construct.SampleWorker;
import io.headrace.runtime.construct.WaitBoard;
import io.headrace.runtime.construct.progress.JobCounters;
import io.headrace.runtime.construct.schedule.CoSchedule;
import io.headrace.runtime.deliver.StepAnswer;
import io.headrace.runtime.deliver.StepStore;
import io.headrace.runtime.deliver.report.JobReport;
import io.headrace.runtime.deliver.report.StoreStatus;
import io.headrace.runtime.deliver.report.WaitReport;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.job.planner.PlannerCommand.CheckpointReply;
import io.headrace.runtime.job.planner.PlannerJson;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/** The job behind the delivery server: turns requests into messages to the actors and back. Called by any thread. */
final class EngineStore implements StepStore {

    /** The Planner answers in milliseconds, or in seconds for a step long past. */
    private static final Duration PLANNER_PATIENCE = Duration.ofSeconds(60);

    private final Actors actors;
    private final JobReport job;
    private final WaitBoard board;
    private final ReadySteps ready;
    private final JobCounters counters;
    private final CoSchedule<SampleWorker> schedule;
    private final Consumer<String> stop;
    private final AtomicLong firstStep = new AtomicLong();
    private volatile String state = "running";

    /** Whom the store speaks to. */
    record Actors(
            ActorSystem<?> system,
            ActorRef<PlannerCommand> planner,
            ActorRef<ConstructorCommand> constructor) {}

    EngineStore(
            Actors actors,
            JobReport job,
            WaitBoard board,
            ReadySteps ready,
            JobCounters counters,
            CoSchedule<SampleWorker> schedule,
            Consumer<String> stop) {
        this.actors = actors;
        this.job = job;
        this.board = board;
        this.ready = ready;
        this.counters = counters;
        this.schedule = schedule;
        this.stop = stop;
    }

    @Override
    public CompletionStage<StepAnswer> step(int rank, long step) {
        return find(rank, step, ConstructorCommand.Want::new);
    }

    @Override
    public CompletionStage<StepAnswer> ahead(int rank, long step) {
        return find(rank, step, ConstructorCommand.WantAhead::new);
    }

    private interface Question {
        ConstructorCommand of(int rank, long step, CompletableFuture<StepAnswer> answer);
    }

    private CompletionStage<StepAnswer> find(int rank, long step, Question question) {
        Optional<Slot> found =
                ready.find(rank, step).filter(slot -> slot.state() == Slot.State.READY);
        if (found.isPresent()) {
            return CompletableFuture.completedFuture(new StepAnswer.Ready(found.get()));
        }
        CompletableFuture<StepAnswer> answer = new CompletableFuture<>();
        actors.constructor().tell(question.of(rank, step, answer));
        return answer;
    }

    @Override
    public void delivered(int rank, long step, long waitNanos, boolean ahead) {
        schedule.delivered(rank, step, waitNanos);
        if (ahead && waitNanos > CoSchedule.MISS_NANOS) {
            actors.constructor().tell(new ConstructorCommand.WaitedFor(rank, step));
        }
    }

    @Override
    public void consumed(int rank, long step, OptionalLong computeNanos, OptionalLong ownNanos) {
        schedule.computed(rank, step, computeNanos, ownNanos);
        actors.constructor().tell(new ConstructorCommand.Consumed(rank, step));
    }

    @Override
    public WaitReport waiting(int rank, long step) {
        return board.report(rank, step);
    }

    @Override
    public JobReport job() {
        return new JobReport(
                job.job(),
                job.recipe(),
                job.fingerprint(),
                job.ranks(),
                job.microbatches(),
                job.steps(),
                firstStep.get(),
                job.waitWarningMillis(),
                job.wireTables());
    }

    @Override
    public String checkpoint(long step) {
        return switch (ask(replyTo -> new PlannerCommand.CheckpointBefore(step, replyTo))) {
            case CheckpointReply.Found(Checkpoint found) -> PlannerJson.write(found);
            case CheckpointReply.Refused(String reason) ->
                    throw new IllegalArgumentException(reason);
        };
    }

    @Override
    public long restore(String checkpoint) {
        Checkpoint parsed;
        try {
            parsed = PlannerJson.readCheckpoint(checkpoint);
        } catch (IOException e) {
            throw new IllegalArgumentException("Not a checkpoint: " + e.getMessage(), e);
        }
        return switch (ask(replyTo -> new PlannerCommand.Resume(parsed, replyTo))) {
            case CheckpointReply.Found(Checkpoint found) -> {
                long step = found.state().step();
                firstStep.set(step);
                actors.constructor().tell(new ConstructorCommand.Restart(step));
                yield step;
            }
            case CheckpointReply.Refused(String reason) ->
                    throw new IllegalArgumentException(reason);
        };
    }

    private CheckpointReply ask(Function<ActorRef<CheckpointReply>, PlannerCommand> message) {
        try {
            return AskPattern.<PlannerCommand, CheckpointReply>ask(
                            actors.planner(),
                            message::apply,
                            PLANNER_PATIENCE,
                            actors.system().scheduler())
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException(
                    "The Planner did not answer within %d s"
                            .formatted(PLANNER_PATIENCE.toSeconds()),
                    e);
        }
    }

    /** Whether the job runs, has failed or has ended. */
    void state(String now) {
        state = now;
    }

    @Override
    public StoreStatus status() {
        Map<String, Double> counts = new LinkedHashMap<>(counters.view());
        counts.putAll(schedule.view());
        return new StoreStatus(state, counters.plannedSteps(), board.readySteps(), counts);
    }

    @Override
    public void stop(String reason) {
        stop.accept(reason);
    }
}
