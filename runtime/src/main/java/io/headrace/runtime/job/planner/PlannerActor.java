package io.headrace.runtime.job.planner;

import io.headrace.engine.plan.Checkpoint;
import io.headrace.engine.plan.Membership;
import io.headrace.engine.plan.MembershipState;
import io.headrace.engine.plan.Planner;
import io.headrace.engine.recipe.Topology;
import io.headrace.runtime.job.planner.PlannerCommand.CheckpointReply;
import io.headrace.runtime.job.planner.PlannerCommand.PlanReply;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.RetentionCriteria;

/**
 * The Planner of a job: one event-sourced actor that turns the fold of {@link Membership} into plans. It answers any step, past or
 * future, from the nearest state that it keeps. After a crash its journal brings back where the job stood.
 *
 * <p>Runs on the actor's thread; owns its state; others send {@link PlannerCommand}.
 */
public final class PlannerActor
        extends EventSourcedBehavior<PlannerCommand, PlannerEvent, PlannerState> {

    private static final int SNAPSHOT_EVERY_EVENTS = 500;
    private static final int SNAPSHOTS_KEPT = 2;

    private final Membership membership;
    private final Planner planner;
    private final Topology topology;

    /** The state after the step that was planned last: derived, so that the next step need not fold from an anchor. */
    private MembershipState remembered;

    private PlannerActor(String job, Membership membership, Planner planner, Topology topology) {
        super(PersistenceId.of("planner", job));
        this.membership = membership;
        this.planner = planner;
        this.topology = topology;
        this.remembered = membership.start();
    }

    /**
     * The behavior of a job's Planner.
     *
     * @param job name of the job and of its journal
     */
    public static Behavior<PlannerCommand> of(
            String job, Membership membership, Planner planner, Topology topology) {
        return new PlannerActor(job, membership, planner, topology);
    }

    @Override
    public PlannerState emptyState() {
        return PlannerState.from(membership.start());
    }

    @Override
    public CommandHandler<PlannerCommand, PlannerEvent, PlannerState> commandHandler() {
        return (state, command) ->
                switch (command) {
                    case PlannerCommand.PlanStep(long step, var replyTo) ->
                            plan(state, step, replyTo);
                    case PlannerCommand.CheckpointBefore(long step, var replyTo) ->
                            checkpoint(state, step, replyTo);
                    case PlannerCommand.Resume(Checkpoint checkpoint, var replyTo) ->
                            resume(state, checkpoint, replyTo);
                    case PlannerCommand.Mask(long step, int rank, var sample) ->
                            Effect()
                                    .persist(
                                            new PlannerEvent.Masked(
                                                    step, rank, sample.source(), sample.index()));
                };
    }

    @Override
    public EventHandler<PlannerState, PlannerEvent> eventHandler() {
        return PlannerState::apply;
    }

    @Override
    public RetentionCriteria retentionCriteria() {
        return RetentionCriteria.snapshotEvery(SNAPSHOT_EVERY_EVENTS, SNAPSHOTS_KEPT)
                .withDeleteEventsOnSnapshot();
    }

    private Effect<PlannerEvent, PlannerState> plan(
            PlannerState state, long step, ActorRef<PlanReply> replyTo) {
        try {
            MembershipState before = before(state, step);
            if (before.step() < step) {
                replyTo.tell(new PlanReply.Ended(step, before.step(), List.of(), List.of()));
                return Effect().none();
            }
            return switch (membership.next(before)) {
                case Membership.Outcome.End(var dropped, var tooLong) -> {
                    replyTo.tell(new PlanReply.Ended(step, step, dropped, tooLong));
                    yield Effect().none();
                }
                case Membership.Outcome.Step(var members, var next) -> {
                    remembered = next;
                    PlanReply reply =
                            new PlanReply.Planned(
                                    planner.plan(members, topology), members.tooLong());
                    if (step < state.plannedSteps()) {
                        replyTo.tell(reply);
                        yield Effect().none();
                    }
                    yield Effect().persist(planned(next)).thenRun(() -> replyTo.tell(reply));
                }
            };
        } catch (IllegalArgumentException e) {
            replyTo.tell(new PlanReply.Failed(step, String.valueOf(e.getMessage())));
            return Effect().none();
        }
    }

    private static List<PlannerEvent> planned(MembershipState next) {
        PlannerEvent planned = new PlannerEvent.Planned(next.step() - 1);
        return next.step() % PlannerState.SPACING == 0
                ? List.of(planned, new PlannerEvent.Anchored(next))
                : List.of(planned);
    }

    private Effect<PlannerEvent, PlannerState> checkpoint(
            PlannerState state, long step, ActorRef<CheckpointReply> replyTo) {
        MembershipState before = before(state, step);
        replyTo.tell(
                before.step() < step
                        ? new CheckpointReply.Refused(
                                "The data ends before step %d; there is no step %d"
                                        .formatted(before.step(), step))
                        : new CheckpointReply.Found(membership.checkpoint(before)));
        return Effect().none();
    }

    /** Ranks hand over the same checkpoint one after the other: only the first changes anything. */
    private Effect<PlannerEvent, PlannerState> resume(
            PlannerState known, Checkpoint checkpoint, ActorRef<CheckpointReply> replyTo) {
        try {
            MembershipState state = membership.resume(checkpoint);
            CheckpointReply found = new CheckpointReply.Found(checkpoint);
            if (state.equals(known.anchors().get(state.step()))) {
                replyTo.tell(found);
                return Effect().none();
            }
            return Effect()
                    .persist(new PlannerEvent.Resumed(state))
                    .thenRun(
                            () -> {
                                remembered = state;
                                replyTo.tell(found);
                            });
        } catch (IllegalArgumentException e) {
            replyTo.tell(new CheckpointReply.Refused(String.valueOf(e.getMessage())));
            return Effect().none();
        }
    }

    /** Membership before a step, or at the end of the data if that comes first. */
    private MembershipState before(PlannerState state, long step) {
        MembershipState anchor = state.nearest(step);
        boolean closer = remembered.step() <= step && remembered.step() > anchor.step();
        MembershipState at = closer ? remembered : anchor;
        while (at.step() < step && membership.next(at) instanceof Membership.Outcome.Step found) {
            at = found.next();
        }
        return at;
    }
}
