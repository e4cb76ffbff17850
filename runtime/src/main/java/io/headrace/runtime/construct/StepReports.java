package io.headrace.runtime.construct;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.StepCost;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.runtime.construct.progress.JobCounters;
import io.headrace.runtime.construct.schedule.CoSchedule;
import io.headrace.runtime.construct.shape.CpuParts;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.job.planner.PlannerCommand;
import io.headrace.runtime.job.planner.PlannerCommand.PlanReply;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a constructor's work is told: the wait board, the error policy, the counters, the Planner and whoever runs the job.
 *
 * @param ready the complete steps, kept up to date by the constructor
 * @param costs how the evenness of a plan is counted
 * @param learnt what work really costs, told and asked
 * @param jobEnds told the error that ends the job, once
 */
public record StepReports(
        WaitBoard board,
        ReadySteps ready,
        SampleErrors errors,
        JobCounters counters,
        ActorRef<PlannerCommand> planner,
        PlanSpec costs,
        Learnt learnt,
        Consumer<JobFailure> jobEnds) {

    private static final Logger LOG = LoggerFactory.getLogger(StepReports.class);

    /** Costs as they are learnt in the run. */
    public record Learnt(CoSchedule<SampleWorker> schedule, CpuParts parts) {

        /** Predicted time of a sample on a decode worker. */
        long predictNanos(SamplePlace place) {
            return schedule.predictNanos(parts.of(place.descriptor(), place.shape()));
        }

        void decoded(SamplePlace place, long nanos, long cpuNanos) {
            schedule.decoded(parts.of(place.descriptor(), place.shape()), nanos, cpuNanos);
        }
    }

    /** A new plan has come. */
    void planned(PlanReply reply) {
        switch (reply) {
            case PlanReply.Planned(var plan, var tooLong) -> {
                counters.planned(plan.step());
                learnt.schedule().planned(plan);
                counters.imbalance(StepCost.of(plan, costs).imbalance());
                leftOut(plan.step(), tooLong);
            }
            case PlanReply.Ended(long step, long endStep, var dropped, var tooLong) -> {
                leftOut(step, tooLong);
                if (step == endStep && !dropped.isEmpty()) {
                    counters.leftOut(dropped.size());
                    LOG.info(
                            "the pass ends after {} steps; {} samples did not fill another one and are dropped",
                            endStep,
                            dropped.size());
                }
            }
            case PlanReply.Failed _ -> {}
        }
    }

    /** A step is complete that its rank already waited for. */
    void late(StepBuild build) {
        StepBuild.Last last = build.last();
        if (last != null) {
            counters.history().addLate(board.late(build, last));
        }
    }

    private void leftOut(long step, List<SampleRef> tooLong) {
        if (!tooLong.isEmpty()) {
            counters.leftOut(tooLong.size());
            errors.tooLong(step, tooLong);
            LOG.warn(
                    "step {}: {} samples are longer than a pack and left out, see {}",
                    step,
                    tooLong.size(),
                    errors.ledgerFile());
        }
    }

    /** How the samples of a constructor's steps end. */
    SampleJob.Outcomes outcomes(ActorRef<ConstructorCommand> constructor) {
        return new SampleJob.Outcomes() {
            @Override
            public void worked(
                    StepBuild build, SamplePlace place, int worker, long start, long end) {
                SampleRef sample = place.placement().sample();
                counters.history().add(build.step(), build.rank(), sample, worker, start, end);
            }

            @Override
            public void decoded(StepBuild build, SamplePlace place, long nanos, long cpuNanos) {
                errors.good();
                counters.decoded(nanos, cpuNanos);
                learnt.decoded(place, nanos, cpuNanos);
            }

            @Override
            public boolean masked(
                    StepBuild build, SamplePlace place, @Nullable Part part, BadPayload problem) {
                counters.masked();
                planner.tell(
                        new PlannerCommand.Mask(
                                build.step(), build.rank(), place.placement().sample()));
                Optional<JobFailure> failure = errors.bad(build, place, part, problem);
                failure.ifPresent(f -> constructor.tell(new ConstructorCommand.Fail(f)));
                return failure.isEmpty();
            }

            @Override
            public void failed(
                    StepBuild build, SamplePlace place, @Nullable Part part, Exception cause) {
                constructor.tell(
                        new ConstructorCommand.Fail(errors.unreadable(build, place, part, cause)));
            }

            @Override
            public void complete(StepBuild build) {
                constructor.tell(new ConstructorCommand.Complete(build));
            }
        };
    }
}
