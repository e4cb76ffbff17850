package io.headrace.runtime.construct.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.schedule.DecodePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DecodePoolTest {

    private static final class Context implements AutoCloseable {
        private final int worker;
        private volatile boolean closed;

        Context(int worker) {
            this.worker = worker;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private record Job(DecodePolicy.Task task, java.util.function.Consumer<Context> work)
            implements DecodePool.Job<Context> {
        @Override
        public void run(Context context) {
            work.accept(context);
        }
    }

    private static DecodePolicy.Task task(long step, int rank, long nanos) {
        return new DecodePolicy.Task(step, rank, 0, nanos);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void runsTheFirstStepFirstAndWithinItTheLongestWorkFirst() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(4);
        try (DecodePool<Context> pool =
                new DecodePool<>(1, 1, DecodePolicy.FIRST_STEP_FIRST, Context::new)) {
            pool.submit(List.of(new Job(task(0, 0, 0), c -> await(gate))));
            List<Job> jobs = new ArrayList<>();
            for (DecodePolicy.Task task :
                    List.of(task(2, 0, 9), task(1, 1, 1), task(1, 0, 5), task(1, 2, 7))) {
                jobs.add(
                        new Job(
                                task,
                                c -> {
                                    order.add(task.step() + "/" + task.rank());
                                    done.countDown();
                                }));
            }
            pool.submit(jobs);
            gate.countDown();
            await(done);
        }
        assertThat(order).containsExactly("1/2", "1/0", "1/1", "2/0");
    }

    @Test
    void lanesKeepRanksOnTheirOwnWorkers() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(40);
        try (DecodePool<Context> pool =
                new DecodePool<>(4, 4, DecodePolicy.FIRST_STEP_FIRST, Context::new)) {
            List<Job> jobs = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int rank = i % 4;
                jobs.add(
                        new Job(
                                task(i, rank, 0),
                                c -> {
                                    seen.add(rank + " on " + c.worker);
                                    done.countDown();
                                }));
            }
            pool.submit(jobs);
            await(done);
        }
        assertThat(seen).containsExactlyInAnyOrder("0 on 0", "1 on 1", "2 on 2", "3 on 3");
    }

    @Test
    void aJobThatThrowsDoesNotEndItsWorker() {
        CountDownLatch done = new CountDownLatch(1);
        try (DecodePool<Context> pool =
                new DecodePool<>(1, 1, DecodePolicy.FIRST_STEP_FIRST, Context::new)) {
            pool.submit(
                    List.of(
                            new Job(
                                    task(0, 0, 0),
                                    c -> {
                                        throw new IllegalStateException("on purpose");
                                    }),
                            new Job(task(1, 0, 0), c -> done.countDown())));
            await(done);
        }
    }

    @Test
    void closeDropsWhatIsQueuedAndClosesTheContexts() {
        List<Context> contexts = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
        DecodePool<Context> pool =
                new DecodePool<>(
                        1,
                        1,
                        DecodePolicy.FIRST_STEP_FIRST,
                        w -> {
                            Context context = new Context(w);
                            contexts.add(context);
                            return context;
                        });
        pool.submit(
                List.of(
                        new Job(
                                task(0, 0, 0),
                                c -> {
                                    running.countDown();
                                    await(gate);
                                    ran.add(0);
                                })));
        await(running);
        pool.submit(List.of(new Job(task(1, 0, 0), c -> ran.add(1))));
        assertThat(pool.queued()).isEqualTo(1);
        Thread closer = Thread.ofVirtual().start(pool::close);
        while (pool.queued() != 0) {
            Thread.onSpinWait();
        }
        gate.countDown();
        try {
            closer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(ran).containsExactly(0);
        assertThat(contexts).allMatch(c -> c.closed);
        assertThatThrownBy(() -> pool.submit(List.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void refusesThreadsThatDoNotMakeTheLanes() {
        assertThatThrownBy(
                        () -> new DecodePool<>(3, 2, DecodePolicy.FIRST_STEP_FIRST, Context::new))
                .hasMessage("3 decode threads do not make 2 lanes");
    }
}
