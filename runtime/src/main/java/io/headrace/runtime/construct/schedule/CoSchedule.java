package io.headrace.runtime.construct.schedule;

import io.headrace.engine.cost.learn.AcceleratorModel;
import io.headrace.engine.cost.learn.CpuModel;
import io.headrace.engine.cost.learn.CpuWork;
import io.headrace.engine.cost.learn.RankWork;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.StepPlan;
import io.headrace.engine.recipe.DeliverySpec.Schedule;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.schedule.DeadlineQueue;
import io.headrace.engine.schedule.DecodePolicy;
import io.headrace.engine.schedule.DecodeQueue;
import io.headrace.engine.schedule.PolicyQueue;
import io.headrace.runtime.construct.decode.DecodePool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Brings the two sides of a job together: learns what decoding and computing cost, and tells the decode queue by when each step is due.
 * Called by any thread; calls are short and wait for nothing but each other.
 *
 * @param <C> what a decode worker owns
 */
public final class CoSchedule<C extends AutoCloseable> {

    /** A rank that waited longer has missed its deadline: the time of a hand-over is not counted. */
    public static final long MISS_NANOS = 2_000_000;

    /** Steps that are remembered; those of a window that moved away are dropped by it. */
    private static final int MOST_STEPS = 512;

    /** Encoded and decoded media that decode threads may hold at once. */
    private static final long LIMIT_BYTES = 4L << 30;

    /** Some 100 samples count for how much longer than its CPU time a sample takes. */
    private static final double SLOWDOWN_GAIN = 0.01;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Schedule schedule;
    private final @Nullable DeadlineQueue<DecodePool.Job<C>> deadlines;
    private final AtomicReference<@Nullable DecodePool<C>> pool = new AtomicReference<>();
    private final AcceleratorModel accelerator;
    private final CpuModel cpu = new CpuModel();
    private final TreeMap<Long, StepTimes> steps = new TreeMap<>();
    private final LongAdder misses = new LongAdder();
    private volatile double windowNanos;
    private double recentNanos;
    private double recentCpuNanos;
    private double slowdown = 1;

    /**
     * @param prior the recipe's cost formulas
     * @param threads decode threads
     */
    public CoSchedule(PlanSpec prior, Schedule schedule, int threads) {
        this.accelerator = new AcceleratorModel(prior);
        this.schedule = schedule;
        this.deadlines =
                schedule == Schedule.DEADLINE
                        ? new DeadlineQueue<>(
                                new DeadlineQueue.Settings(threads, LIMIT_BYTES), null)
                        : null;
    }

    /** The queues of the pool's lanes. Deadlines are kept by one pool of all ranks; lanes of single ranks know none. */
    public IntFunction<DecodeQueue<DecodePool.Job<C>>> queues(int lanes) {
        DeadlineQueue<DecodePool.Job<C>> one = deadlines;
        if (one != null && lanes == 1) {
            return _ -> one;
        }
        return _ ->
                new PolicyQueue<>(
                        schedule == Schedule.FIFO
                                ? DecodePolicy.FIFO
                                : DecodePolicy.FIRST_STEP_FIRST);
    }

    /** The pool whose queue is told; before it, nothing is queued. */
    public void serve(DecodePool<C> decodePool) {
        pool.set(decodePool);
    }

    /** A step has been planned. */
    public void planned(StepPlan plan) {
        List<RankWork> works = new ArrayList<>();
        for (StepPlan.Rank rank : plan.ranks()) {
            RankWork work = RankWork.NONE;
            for (StepPlan.Microbatch microbatch : rank.microbatches()) {
                for (Placement placement : microbatch.placements()) {
                    work = work.plus(placement.features());
                }
            }
            works.add(work);
        }
        synchronized (steps) {
            steps.put(plan.step(), new StepTimes(works));
            while (steps.size() > MOST_STEPS) {
                steps.pollFirstEntry();
            }
            tellWindows(plan.step());
        }
    }

    /** Predicts the windows of steps from one on. */
    private void tellWindows(long from) {
        if (!accelerator.isConfident()) {
            return;
        }
        Map<Long, Double> windows = new LinkedHashMap<>();
        steps.tailMap(from)
                .forEach(
                        (step, times) ->
                                windows.put(step, accelerator.predictNanos(times.works())));
        tell(queue -> windows.forEach(queue::window));
    }

    private void tell(Consumer<DeadlineQueue<DecodePool.Job<C>>> change) {
        DecodePool<C> told = pool.get();
        DeadlineQueue<DecodePool.Job<C>> queue = deadlines;
        if (told != null && queue != null) {
            told.between(() -> change.accept(queue));
        }
    }

    /** A rank has its batch of a step. */
    public void delivered(int rank, long step, long waitNanos) {
        if (waitNanos > MISS_NANOS) {
            misses.increment();
        }
        long now = System.nanoTime();
        synchronized (steps) {
            StepTimes times = steps.get(step);
            if (times != null && times.started(rank, now)) {
                windowNanos = accelerator.predictNanos(times.works());
                tell(queue -> queue.begun(step, now));
            }
        }
    }

    /** A rank is done with a step. */
    public void computed(int rank, long step, OptionalLong computeNanos, OptionalLong ownNanos) {
        synchronized (steps) {
            StepTimes times = steps.get(step);
            if (times != null && times.ended(rank, computeNanos.orElse(0), ownNanos.orElse(0))) {
                accelerator.observe(times.times());
                steps.headMap(step, true).clear();
                tellWindows(step);
            }
        }
    }

    /** Predicted time of a sample on a decode worker: its CPU time, and what workers wait for reads and for a core besides. */
    public long predictNanos(List<CpuWork> work) {
        synchronized (cpu) {
            return Math.round(slowdown * cpu.predictNanos(work));
        }
    }

    /**
     * What a sample took.
     *
     * @param nanos time on decode workers
     * @param cpuNanos CPU time of them
     */
    public void decoded(List<CpuWork> work, long nanos, long cpuNanos) {
        synchronized (cpu) {
            cpu.observe(work, (double) cpuNanos);
            recentNanos += SLOWDOWN_GAIN * (nanos - recentNanos);
            recentCpuNanos += SLOWDOWN_GAIN * (cpuNanos - recentCpuNanos);
            slowdown = recentCpuNanos > 0 ? Math.max(1, recentNanos / recentCpuNanos) : 1;
        }
    }

    /** One line for each kind of CPU work that was seen: what it costs as learnt, and how far predictions are off. */
    public List<String> costs() {
        List<String> lines = new ArrayList<>();
        synchronized (cpu) {
            cpu.costs()
                    .forEach(
                            (key, cost) -> {
                                double[] c = cost.coefficients();
                                lines.add(
                                        String.format(
                                                Locale.ROOT,
                                                "%s %s: %.0f us + %.2f ns a unit + %.2f ns a byte + %.2f ns an output; error %.1f%%, %.0f samples",
                                                key.codec(),
                                                key.operation(),
                                                c[0] / 1000,
                                                c[1],
                                                c[2],
                                                c[3],
                                                100 * cost.error(),
                                                cost.observed()));
                            });
        }
        lines.sort(String::compareTo);
        return lines;
    }

    /** Errors of predictions, misses and slack by name, for the status and the metrics. */
    public Map<String, Double> view() {
        Map<String, Double> view = new LinkedHashMap<>();
        view.put("deadline_misses", (double) misses.sum());
        synchronized (cpu) {
            view.put("cpu_error_p50", cpu.errors().quantile(0.5));
            view.put("cpu_error_p95", cpu.errors().quantile(0.95));
            view.put("decode_slowdown", slowdown);
        }
        synchronized (steps) {
            view.put("window_error_p50", accelerator.errors().quantile(0.5));
            view.put("window_error_p95", accelerator.errors().quantile(0.95));
            view.put("window_learnt", accelerator.cost().isLearnt() ? 1.0 : 0.0);
        }
        view.put("window_seconds", windowNanos / NANOS_PER_SECOND);
        AtomicReference<Double> slack = new AtomicReference<>(0.0);
        tell(
                queue -> {
                    List<DeadlineQueue.StepSlack> all = queue.slack(System.nanoTime());
                    if (!all.isEmpty()) {
                        slack.set(all.getFirst().slackNanos() / NANOS_PER_SECOND);
                    }
                });
        view.put("slack_seconds", slack.get());
        return view;
    }
}
