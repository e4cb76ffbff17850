package io.headrace.runtime.construct.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.Features;
import io.headrace.engine.cost.learn.CpuKey;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.DeliverySpec.Schedule;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.engine.schedule.DecodeQueue;
import io.headrace.runtime.construct.decode.DecodePool;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CoScheduleTest {

    private static final long MILLI = 1_000_000;
    private static final PlanSpec PRIOR =
            new PlanSpec(
                    new PlanSpec.Cost(1, 0),
                    new PlanSpec.Cost(1, 0),
                    PlanSpec.Method.KARMARKAR_KARP,
                    PlanSpec.Over.HYBRID);

    private static final class Context implements AutoCloseable {
        @Override
        public void close() {}
    }

    private record Job(DecodePolicy.Task task, Runnable work) implements DecodePool.Job<Context> {
        @Override
        public void run(Context context) {
            work.run();
        }
    }

    private static StepPlan plan(long step, int... tokens) {
        List<StepPlan.Rank> ranks = new ArrayList<>();
        for (int rank = 0; rank < tokens.length; rank++) {
            Features features = new Features(tokens[rank], 0, 0, 0);
            Placement placement = new Placement(new SampleRef(0, rank), features, 0, 0, false);
            ranks.add(
                    new StepPlan.Rank(
                            rank, List.of(new StepPlan.Microbatch(1, List.of(placement)))));
        }
        return new StepPlan(step, ranks);
    }

    private static double seconds(CoSchedule<Context> schedule, String name) {
        return schedule.view().getOrDefault(name, Double.NaN);
    }

    @Test
    void windowsAreLearntFromWhatTheRanksTell() {
        CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, Schedule.DEADLINE, 2);
        for (long step = 0; step < 20; step++) {
            int more = (int) (100 * (step % 5));
            schedule.planned(plan(step, 1000 + more, 500));
            schedule.delivered(0, step, 0);
            schedule.delivered(1, step, 0);
            OptionalLong window = OptionalLong.of((1000 + more) * MILLI / 10);
            schedule.computed(0, step, window, OptionalLong.empty());
            schedule.computed(1, step, window, OptionalLong.empty());
        }
        schedule.planned(plan(20, 2000, 500));
        schedule.delivered(1, 20, 0);
        assertThat(seconds(schedule, "window_seconds")).isLessThan(0.15);
        schedule.delivered(0, 20, 0);
        assertThat(seconds(schedule, "window_seconds")).isBetween(0.17, 0.23);
        assertThat(seconds(schedule, "window_error_p50")).isLessThan(0.1);
    }

    @Test
    void aRankThatTellsNoWindowIsNotLearntFrom() {
        CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, Schedule.DEADLINE, 2);
        for (long step = 0; step < 10; step++) {
            schedule.planned(plan(step, 1000, 500));
            schedule.delivered(0, step, 0);
            schedule.delivered(1, step, 0);
            schedule.computed(0, step, OptionalLong.of(MILLI), OptionalLong.empty());
            schedule.computed(1, step, OptionalLong.empty(), OptionalLong.empty());
        }
        assertThat(seconds(schedule, "window_seconds")).isZero();
    }

    @Test
    void aWaitAboveTwoMillisecondsIsAMiss() {
        CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, Schedule.DEADLINE, 2);
        schedule.delivered(0, 0, 2 * MILLI);
        schedule.delivered(1, 0, 2 * MILLI + 1);
        assertThat(seconds(schedule, "deadline_misses")).isEqualTo(1);
    }

    @Test
    void timesOfSamplesAreLearnt() {
        CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, Schedule.DEADLINE, 2);
        CpuKey key = new CpuKey(Codec.JPEG, CpuKey.Operation.DECODE);
        for (int i = 1; i <= 400; i++) {
            double pixels = 10_000.0 * (1 + i % 40);
            schedule.decoded(
                    List.of(new CpuWork(key, pixels, pixels / 4, pixels)),
                    Math.round(30 * pixels + 150_000),
                    Math.round(20 * pixels + 100_000));
        }
        assertThat(seconds(schedule, "decode_slowdown")).isBetween(1.49, 1.51);
        long predicted = schedule.predictNanos(List.of(new CpuWork(key, 2e5, 5e4, 2e5)));
        assertThat(predicted).as("1.5 times its CPU time").isBetween(5_850_000L, 6_450_000L);
        assertThat(seconds(schedule, "cpu_error_p50")).isLessThan(0.05);
        assertThat(schedule.costs()).hasSize(1);
        assertThat(schedule.costs().getFirst())
                .startsWith("JPEG DECODE: ")
                .endsWith(", 400 samples");
    }

    @Test
    void thePoolIsServedByTheQueueThatTheRecipeAsksFor() throws InterruptedException {
        for (Schedule kind : Schedule.values()) {
            CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, kind, 1);
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(4);
            List<String> order = new ArrayList<>();
            try (DecodePool<Context> pool =
                    new DecodePool<>(1, 1, schedule.queues(1), _ -> new Context())) {
                schedule.serve(pool);
                pool.submit(List.of(new Job(task(0, 0, 9), () -> await(held))));
                List<Job> jobs = new ArrayList<>();
                for (DecodePolicy.Task task :
                        List.of(task(1, 0, 5), task(0, 1, 1), task(0, 1, 7), task(0, 2, 3))) {
                    jobs.add(
                            new Job(
                                    task,
                                    () -> {
                                        order.add(task.step() + "/" + task.predictedNanos());
                                        done.countDown();
                                    }));
                }
                pool.submit(jobs);
                held.countDown();
                assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(order).as(kind.name()).containsExactly(expected(kind));
        }
    }

    private static String[] expected(Schedule kind) {
        return switch (kind) {
            case DEADLINE, FIRST_STEP_FIRST -> new String[] {"0/7", "0/3", "0/1", "1/5"};
            case FIFO -> new String[] {"0/1", "0/7", "0/3", "1/5"};
        };
    }

    private static int sequence;

    private static DecodePolicy.Task task(long step, int rank, long nanos) {
        return new DecodePolicy.Task(step, rank, sequence++, nanos);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void lanesOfRanksKnowNoDeadlines() {
        CoSchedule<Context> schedule = new CoSchedule<>(PRIOR, Schedule.DEADLINE, 4);
        DecodeQueue<DecodePool.Job<Context>> first = schedule.queues(4).apply(0);
        assertThat(schedule.queues(4).apply(1)).isNotSameAs(first);
        assertThat(schedule.queues(1).apply(0)).isSameAs(schedule.queues(1).apply(0));
    }
}
