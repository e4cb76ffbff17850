package io.headrace.runtime.construct;

import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.runtime.construct.ConstructorCommand.Begun;
import io.headrace.runtime.construct.ConstructorCommand.Complete;
import io.headrace.runtime.construct.ConstructorCommand.Consumed;
import io.headrace.runtime.construct.ConstructorCommand.Fail;
import io.headrace.runtime.construct.ConstructorCommand.FromPlanner;
import io.headrace.runtime.construct.ConstructorCommand.Restart;
import io.headrace.runtime.construct.ConstructorCommand.WaitedFor;
import io.headrace.runtime.construct.ConstructorCommand.Want;
import io.headrace.runtime.construct.ConstructorCommand.WantAhead;
import io.headrace.runtime.construct.shape.CpuParts;
import io.headrace.runtime.construct.shape.KnownTensors;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.StepShape;
import io.headrace.runtime.deliver.StepAnswer;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.job.planner.PlannerCommand.PlanReply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The Data Constructor of a host: keeps a window of steps ready for each of its ranks. It asks the Planner for plans, gives each rank's
 * part a slot that is laid out before anything is decoded, and hands the samples to the decode pool.
 *
 * <p>Runs on the actor's thread, which owns the windows; others send {@link ConstructorCommand}.
 */
public final class DataConstructor extends AbstractBehavior<ConstructorCommand> {

    /** Shares of a video are not made shorter: each reads the payload and its header anew. */
    private static final long SHARE_NANOS = 50_000_000;

    private final ConstructorParts parts;
    private final ActorRef<PlanReply> planReplies;
    private final SlotQueue slots;
    private final List<RankWindow> windows = new ArrayList<>();
    private final TreeMap<Long, PlanReply> plans = new TreeMap<>();
    private final TreeSet<Long> plansAsked = new TreeSet<>();
    private long lastTicket;
    private @Nullable JobFailure failure;

    private DataConstructor(ActorContext<ConstructorCommand> context, ConstructorParts parts) {
        super(context);
        this.parts = parts;
        this.planReplies = context.messageAdapter(PlanReply.class, FromPlanner::new);
        ActorRef<ConstructorCommand> self = context.getSelf();
        this.slots =
                new SlotQueue(
                        parts.pool(),
                        request -> parts.shapes().shape(request.plan(), request.rank()),
                        parts.shapes()::layout,
                        taker(self, new KnownTensors(parts.shapes().tensors())));
        for (int rank = 0; rank < parts.window().ranks(); rank++) {
            windows.add(new RankWindow(rank, parts.window().readyAheadSteps()));
        }
    }

    /** The behavior of a host's constructor. */
    public static Behavior<ConstructorCommand> of(ConstructorParts parts) {
        return Behaviors.setup(context -> new DataConstructor(context, parts));
    }

    @Override
    public Receive<ConstructorCommand> createReceive() {
        return newReceiveBuilder()
                .onMessage(ConstructorCommand.class, this::on)
                .onSignal(
                        PostStop.class,
                        signal -> {
                            slots.close();
                            return this;
                        })
                .build();
    }

    private Behavior<ConstructorCommand> on(ConstructorCommand command) {
        switch (command) {
            case Want(int rank, long step, CompletableFuture<StepAnswer> answer) ->
                    want(windows.get(rank), step, answer);
            case WantAhead(int rank, long step, CompletableFuture<StepAnswer> answer) ->
                    wantAhead(windows.get(rank).entry(step), step, answer);
            case WaitedFor(int rank, long step) -> {
                RankWindow.Entry entry = windows.get(rank).entry(step);
                if (entry != null && entry.build() != null) {
                    parts.reports().late(entry.build());
                }
            }
            case Consumed(int rank, long step) -> {
                windows.get(rank).advanceTo(step + 1);
                fill(List.of(windows.get(rank)));
            }
            case Restart(long step) -> restart(step);
            case FromPlanner(PlanReply reply) -> planned(reply);
            case Begun(long ticket, StepShape shape, Slot slot) -> begun(ticket, shape, slot);
            case Complete(StepBuild build) -> complete(build);
            case Fail(JobFailure cause) -> fail(cause);
        }
        parts.reports().board().show(windows);
        return this;
    }

    private void want(RankWindow window, long step, CompletableFuture<StepAnswer> answer) {
        if (isFailed(step)) {
            answer.completeExceptionally(failure);
            return;
        }
        if (!window.covers(step)) {
            window.moveTo(step);
        }
        if (window.isAsked()) {
            fill(List.of(window));
        } else {
            window.ask();
            followTo(step);
            fill(windows);
        }
        RankWindow.Entry entry = window.entry(step);
        if (entry == null) {
            throw new IllegalStateException("No entry for a step of the window: " + step);
        }
        entry.ask(answer);
    }

    private void wantAhead(
            RankWindow.@Nullable Entry entry, long step, CompletableFuture<StepAnswer> answer) {
        if (isFailed(step)) {
            answer.completeExceptionally(failure);
        } else if (entry == null) {
            answer.complete(new StepAnswer.NotYet());
        } else {
            entry.askAhead(answer);
        }
    }

    /**
     * Ranks that have not asked yet are taken to want the same step, so that the steps of all ranks get their memory in the order of the
     * steps: else the first rank to come would hold, ahead, what the others need now.
     */
    private void followTo(long step) {
        for (RankWindow window : windows) {
            if (!window.isAsked() && window.isEmpty()) {
                window.moveTo(step);
            }
        }
    }

    /** Moves all windows there, but those of ranks that wait: they know where they are. */
    private void restart(long step) {
        plans.clear();
        for (RankWindow window : windows) {
            if (window.first() != step && !window.isWaitedFor()) {
                window.moveTo(step);
            }
        }
        fill(windows);
    }

    /** Begins every step of these windows that is not begun yet, earlier steps of all ranks first. */
    private void fill(List<RankWindow> toFill) {
        TreeSet<Long> steps = new TreeSet<>();
        for (RankWindow window : toFill) {
            for (long step = window.first(); step <= lastStep(window); step++) {
                steps.add(step);
            }
        }
        for (long step : steps) {
            toFill.stream().filter(w -> w.lacks(step)).forEach(w -> begin(w, step));
        }
        long oldest = windows.stream().mapToLong(RankWindow::first).min().orElse(0);
        plans.headMap(oldest).clear();
    }

    /** Last step to begin: nothing from a failure on. */
    private long lastStep(RankWindow window) {
        return failure == null
                ? window.last()
                : Math.min(window.last(), Math.max(failure.firstStep(), Long.MIN_VALUE + 1) - 1);
    }

    private void begin(RankWindow window, long step) {
        RankWindow.Entry entry = new RankWindow.Entry(step, ++lastTicket, parts.reports().ready());
        window.add(entry);
        PlanReply plan = plans.get(step);
        if (plan != null) {
            use(plan, window, entry);
        } else if (plansAsked.add(step)) {
            parts.planner().tell(new PlannerCommand.PlanStep(step, planReplies));
        }
    }

    private void planned(PlanReply reply) {
        plansAsked.remove(reply.step());
        plans.put(reply.step(), reply);
        parts.reports().planned(reply);
        for (RankWindow window : windows) {
            RankWindow.Entry entry = window.entry(reply.step());
            if (entry != null && entry.build() == null && !entry.isReady()) {
                use(reply, window, entry);
            }
        }
    }

    private void use(PlanReply reply, RankWindow window, RankWindow.Entry entry) {
        switch (reply) {
            case PlanReply.Planned(var plan, _) ->
                    slots.ask(new SlotQueue.Request(plan, window.rank(), entry.ticket()));
            case PlanReply.Ended(_, long endStep, _, _) ->
                    entry.answer(new StepAnswer.End(endStep));
            case PlanReply.Failed(long step, String reason) ->
                    fail(new JobFailure("Step %d cannot be planned: %s".formatted(step, reason)));
        }
    }

    private void begun(long ticket, StepShape shape, Slot slot) {
        RankWindow.Entry entry = windows.get(shape.rank()).entry(shape.step());
        if (isFailed(shape.step()) || entry == null || entry.ticket() != ticket) {
            slot.abort();
            return;
        }
        StepBuild build = new StepBuild(shape, slot);
        entry.building(build);
        SampleJob.Outcomes outcomes = parts.reports().outcomes(getContext().getSelf());
        List<SampleJob> jobs = new ArrayList<>();
        for (SamplePlace place : shape.samples()) {
            long nanos = parts.reports().learnt().predictNanos(place);
            long bytes = CpuParts.bytes(place.descriptor());
            int shares = shares(place, nanos);
            SampleFill fill = new SampleFill(build, place, shares, outcomes);
            for (int share = 0; share < shares; share++) {
                DecodePolicy.Task task =
                        new DecodePolicy.Task(
                                shape.step(),
                                shape.rank(),
                                jobs.size(),
                                nanos / shares,
                                bytes / shares,
                                1);
                jobs.add(new SampleJob(fill, share, task, parts.reports().counters().stages()));
            }
        }
        parts.reports().board().building(build, jobs.stream().map(SampleJob::progress).toList());
        parts.decodePool().submit(jobs);
    }

    /** A long video is decoded by several workers. */
    private int shares(SamplePlace place, long nanos) {
        return place.shape().videos().isEmpty() || !parts.window().splits()
                ? 1
                : Math.clamp(nanos / SHARE_NANOS, 1, parts.decodePool().threads());
    }

    private void complete(StepBuild build) {
        RankWindow.Entry entry = windows.get(build.rank()).entry(build.step());
        parts.reports().board().built(build);
        if (build.isCancelled() || entry == null || entry.build() != build) {
            build.slot().abort();
            return;
        }
        build.slot().commit();
        if (entry.isWaitedFor()) {
            parts.reports().late(build);
        }
        entry.answer(new StepAnswer.Ready(build.slot()));
    }

    private void fail(JobFailure cause) {
        if (failure == null || cause.firstStep() < failure.firstStep()) {
            failure = cause;
            windows.forEach(window -> window.failFrom(cause.firstStep(), cause));
            parts.reports().jobEnds().accept(cause);
        }
    }

    private boolean isFailed(long step) {
        return failure != null && step >= failure.firstStep();
    }

    private static SlotQueue.Taker taker(ActorRef<ConstructorCommand> self, KnownTensors known) {
        return new SlotQueue.Taker() {
            @Override
            public void begun(SlotQueue.Request request, StepShape shape, Slot slot) {
                known.write(shape, slot);
                self.tell(new Begun(request.ticket(), shape, slot));
            }

            @Override
            public void refused(SlotQueue.Request request, String reason) {
                self.tell(
                        new Fail(
                                new JobFailure(
                                        "Step %d of rank %d has no slot: %s"
                                                .formatted(
                                                        request.plan().step(),
                                                        request.rank(),
                                                        reason))));
            }
        };
    }
}
