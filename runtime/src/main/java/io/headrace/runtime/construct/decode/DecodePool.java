package io.headrace.runtime.construct.decode;

import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.engine.schedule.DecodeQueue;
import io.headrace.engine.schedule.PolicyQueue;
import io.headrace.runtime.deliver.latency.ThreadShare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded pool that decodes for every rank of the host; ranks never own a worker, unless the pool is split into lanes. The policy
 * picks the next job each time a worker is free. The queue holds no more than the steps that have a slot, so slots bound it.
 *
 * <p>Threads: {@code threads} platform threads named {@code headrace-decode-N}, each with a context of its own, made and closed on that
 * thread. Any thread may submit.
 *
 * @param <C> what a worker owns: decoders and scratch memory
 */
public final class DecodePool<C extends AutoCloseable> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DecodePool.class);

    /** How long {@link #close} waits for jobs that are running. */
    private static final long CLOSE_MILLIS = 5_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final List<DecodeQueue<Job<C>>> lanes = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private boolean closed;

    /**
     * @param threads number of workers
     * @param laneCount 1: every worker takes from one queue; else worker {@code w} takes only jobs of ranks that are equal to {@code w} modulo
     *     the number of lanes, as rank-local loaders do
     * @param context makes the context of worker {@code w}
     */
    public DecodePool(int threads, int laneCount, DecodePolicy policy, IntFunction<C> context) {
        this(threads, laneCount, _ -> new PolicyQueue<>(policy), context);
    }

    /**
     * @param threads number of workers
     * @param laneCount see above
     * @param queue makes the queue of a lane; it is used under the pool's lock alone
     * @param context makes the context of worker {@code w}
     */
    public DecodePool(
            int threads,
            int laneCount,
            IntFunction<DecodeQueue<Job<C>>> queue,
            IntFunction<C> context) {
        if (threads < 1 || laneCount < 1 || threads % laneCount != 0) {
            throw new IllegalArgumentException(
                    "%d decode threads do not make %d lanes".formatted(threads, laneCount));
        }
        for (int lane = 0; lane < laneCount; lane++) {
            lanes.add(queue.apply(lane));
        }
        for (int w = 0; w < threads; w++) {
            int worker = w;
            DecodeQueue<Job<C>> lane = lanes.get(w % laneCount);
            workers.add(
                    Thread.ofPlatform()
                            .name("headrace-decode-" + w)
                            .daemon()
                            .start(() -> workLoop(lane, context.apply(worker))));
        }
    }

    /** A piece of work and its place in the order. */
    public interface Job<C> extends DecodeQueue.Item {

        /** Runs on a worker; failures are the job's own to report. */
        void run(C context);
    }

    /** Queues jobs; they start in the order of the policy. */
    public void submit(List<? extends Job<C>> jobs) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The decode pool is closed");
            }
            long nowNanos = System.nanoTime();
            for (Job<C> job : jobs) {
                lanes.get(Math.floorMod(job.task().rank(), lanes.size())).add(job, nowNanos);
            }
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Jobs that wait for a worker. */
    public int queued() {
        lock.lock();
        try {
            return lanes.stream().mapToInt(DecodeQueue::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Changes or reads what a queue knows, between two decisions of it. */
    public void between(Runnable change) {
        lock.lock();
        try {
            change.run();
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Number of workers. */
    public int threads() {
        return workers.size();
    }

    private void workLoop(DecodeQueue<Job<C>> lane, C context) {
        ThreadShare.giveWay();
        try (context) {
            for (Job<C> job = take(lane, null); job != null; job = take(lane, job)) {
                runGuarded(job, context);
            }
        } catch (Exception e) {
            LOG.error("A decode worker ended", e);
        }
    }

    private void runGuarded(Job<C> job, C context) {
        try {
            job.run(context);
        } catch (RuntimeException e) {
            LOG.error("A decode job failed outside its own handling: {}", job.task(), e);
        }
    }

    /** The next job of a worker, which has just ended another. */
    private @Nullable Job<C> take(DecodeQueue<Job<C>> lane, @Nullable Job<C> ended) {
        lock.lock();
        try {
            if (ended != null) {
                lane.ended(ended, System.nanoTime());
                if (lane.size() > 0) {
                    work.signalAll();
                }
            }
            while (!closed) {
                Job<C> next = lane.next(System.nanoTime());
                if (next != null) {
                    return next;
                }
                work.awaitUninterruptibly();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is queued and waits, within a bound, for what is running. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            lanes.forEach(DecodeQueue::clear);
            work.signalAll();
        } finally {
            lock.unlock();
        }
        long untilNanos = System.nanoTime() + CLOSE_MILLIS * 1_000_000;
        for (Thread worker : workers) {
            try {
                worker.join(Math.max(1, (untilNanos - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
