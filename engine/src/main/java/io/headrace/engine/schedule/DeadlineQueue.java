package io.headrace.engine.schedule;

import io.headrace.engine.schedule.DecodePolicy.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs work by the deadlines of steps. The deadline of a step is the predicted end of the compute window of the one before; those of
 * later steps follow in a chain. A step is expected ready at its deadline, or when the work up to it can be done if that is later.
 *
 * <p>The first step is served first (earliest deadline first), its longest item first. An item of a later step whose slack is used up,
 * that is which would outlast the time until its step is expected ready, goes before all that has slack (earliest deadline until zero
 * laxity: Lee 1994, Cho et al. 2002). A step that is late by exception is finished rank by rank, so that it is late for few ranks. As long
 * as windows are not known, steps are served in order and the longest item of a step first.
 *
 * <p>A decision takes logarithmic time in the number of items and a turn for each step of the look-ahead. Not thread-safe.
 */
public final class DeadlineQueue<J extends DecodeQueue.Item> implements DecodeQueue<J> {

    /** An item counts as without slack a little early, since predictions are off by some per cent. */
    private static final double GUARD = 1.1;

    /** Work ahead of the first step takes no more than this share of the memory. */
    private static final double LOOK_AHEAD_SHARE = 0.5;

    /** A running item is late when it has taken so many times what was predicted. */
    private static final double LATE = 3;

    private static final Comparator<DecodeQueue.Item> ORDER =
            (a, b) -> DecodePolicy.FIFO.compare(a.task(), b.task());

    private final Settings settings;
    private final @Nullable Splitter<J> splitter;
    private final TreeMap<Long, StepWork<J>> steps = new TreeMap<>();
    private final TreeMap<Long, Double> windows = new TreeMap<>();
    private final IdentityHashMap<J, Running> running = new IdentityHashMap<>();
    private long begunStep = -1;
    private double begunNanos;
    private long inFlightBytes;
    private int waiting;

    /**
     * @param workers workers that take from the queue
     * @param limitBytes memory that running items may take together; one alone may take more
     */
    public record Settings(int workers, long limitBytes) {}

    /** Cuts an item into pieces that together do its work, each with a task of its own. */
    public interface Splitter<J> {
        List<J> split(J item, int pieces);
    }

    private record Running(StepWork<?> step, double startNanos, double endNanos, boolean again) {
        Running secondTime() {
            return new Running(step, startNanos, endNanos, true);
        }
    }

    /** A step that is not begun: when it is due, and the time until it can be ready. */
    private record Expected<J extends DecodeQueue.Item>(
            long step,
            @Nullable StepWork<J> own,
            double dueNanos,
            double leftNanos,
            double workNanos) {}

    /** What may run next and the time until its step is expected ready. */
    private record Choice<J extends DecodeQueue.Item>(
            StepWork<J> step, J item, double leftNanos, boolean keepsUp) {}

    /**
     * @param splitter null if no item can be split
     */
    public DeadlineQueue(Settings settings, @Nullable Splitter<J> splitter) {
        this.settings = settings;
        this.splitter = splitter;
    }

    /** The predicted compute window of a step; not positive: not known. */
    public void window(long step, double nanos) {
        if (nanos > 0) {
            windows.put(step, nanos);
        } else {
            windows.remove(step);
        }
    }

    /** All ranks have their batch of a step and compute. */
    public void begun(long step, long nowNanos) {
        begunStep = step;
        begunNanos = nowNanos;
        windows.headMap(step).clear();
    }

    @Override
    public void add(J item, long nowNanos) {
        steps.computeIfAbsent(item.task().step(), StepWork::new).add(item);
        waiting++;
    }

    @Override
    public @Nullable J next(long nowNanos) {
        if (waiting == 0) {
            return null;
        }
        Choice<J> choice = choose(nowNanos);
        if (choice == null) {
            return null;
        }
        choice.step.take(choice.item);
        waiting--;
        J first = splitIfLong(choice, nowNanos);
        Task task = first.task();
        double end = nowNanos + (double) task.predictedNanos();
        choice.step.started(end);
        running.put(first, new Running(choice.step, (double) nowNanos, end, false));
        inFlightBytes += task.bytes();
        return first;
    }

    private @Nullable Choice<J> choose(long nowNanos) {
        List<Expected<J>> chain = chain(nowNanos);
        boolean keepsUp = keepsUp(chain, (double) nowNanos);
        boolean known = !windows.isEmpty();
        Choice<J> first = null;
        for (Expected<J> expected : chain) {
            StepWork<J> own = expected.own;
            if (own == null || !own.hasWaiting()) {
                continue;
            }
            J longest = own.longest();
            boolean urgent = leastNanos(longest.task(), keepsUp) * GUARD >= expected.leftNanos;
            if (first != null && urgent && known && fits(longest.task(), true)) {
                return new Choice<>(own, longest, expected.leftNanos, keepsUp);
            }
            if (first == null) {
                boolean late = expected.leftNanos > expected.dueNanos - nowNanos;
                boolean inTurn = late && keepsUp && !urgent && known;
                J item = inTurn ? own.ofNearlyDoneRank() : longest;
                first = new Choice<>(own, item, expected.leftNanos, keepsUp);
            }
        }
        return first != null && fits(first.item.task(), false) ? first : null;
    }

    /** Whether all work that waits can be done by the deadline of the last step, so that a step that is late stays the exception. */
    private boolean keepsUp(List<Expected<J>> chain, double nowNanos) {
        double last = chain.getFirst().dueNanos - nowNanos;
        for (Expected<J> expected : chain.subList(0, chain.size() - 1)) {
            last += windows.getOrDefault(expected.step, 0.0);
        }
        return chain.getLast().workNanos / settings.workers() < last;
    }

    /** The shortest time that an item takes: it may be split as long as the cores have time to spare. */
    private double leastNanos(Task task, boolean keepsUp) {
        boolean splits = splitter != null && keepsUp;
        int pieces = splits ? Math.min(task.parts(), settings.workers()) : 1;
        return (double) task.predictedNanos() / pieces;
    }

    /** The steps that are not begun, in order, as far as anything waits: when each is due and when it can be ready. */
    private List<Expected<J>> chain(long nowNanos) {
        double now = (double) nowNanos;
        List<Expected<J>> chain = new ArrayList<>();
        if (steps.isEmpty()) {
            return chain;
        }
        long step = begunStep < 0 ? steps.firstKey() : Math.min(steps.firstKey(), begunStep + 1);
        Double begun = windows.get(begunStep);
        double due = step == begunStep + 1 && begun != null ? begunNanos + begun : now;
        double work = 0;
        for (Long at = step; at != null && at <= steps.lastKey(); at = after(at)) {
            step = at;
            StepWork<J> own = steps.get(step);
            double longest = 0;
            if (own != null) {
                work += own.remainingNanos(now);
                longest = own.hasWaiting() ? own.longest().task().predictedNanos() : 0;
            }
            double left = Math.max(due - now, work / settings.workers());
            chain.add(new Expected<>(step, own, due, left, work));
            due = now + Math.max(left, longest) + windows.getOrDefault(step, 0.0);
        }
        return chain;
    }

    /** The next step that has work or a window. */
    private @Nullable Long after(long step) {
        boolean known = steps.containsKey(step) || windows.containsKey(step);
        return known ? Long.valueOf(step + 1) : steps.higherKey(step);
    }

    private boolean fits(Task task, boolean lookAhead) {
        double limit = settings.limitBytes() * (lookAhead ? LOOK_AHEAD_SHARE : 1);
        return running.isEmpty() || inFlightBytes + task.bytes() <= limit;
    }

    /**
     * An item that would outlast the time left is cut; its further pieces wait as items of their own. While the cores are short, pieces
     * gain nothing: others go on beside the long item.
     */
    private J splitIfLong(Choice<J> choice, long now) {
        Task task = choice.item.task();
        boolean fits = task.predictedNanos() <= choice.leftNanos;
        if (splitter == null || task.parts() < 2 || fits || busyWithout(choice, now)) {
            return choice.item;
        }
        double left = Math.max(choice.leftNanos, 1);
        int wanted = (int) Math.min(settings.workers(), Math.ceil(task.predictedNanos() / left));
        int pieces = Math.min(task.parts(), Math.max(2, wanted));
        List<J> cut = splitter.split(choice.item, pieces);
        cut.subList(1, cut.size()).forEach(piece -> add(piece, now));
        return cut.getFirst();
    }

    private boolean busyWithout(Choice<J> choice, long now) {
        double work = 0;
        for (StepWork<J> step : steps.values()) {
            work += step.remainingNanos((double) now);
        }
        return !choice.keepsUp && work / settings.workers() > choice.item.task().predictedNanos();
    }

    @Override
    public void ended(J item, long nowNanos) {
        Running ended = running.remove(item);
        if (ended != null) {
            ended.step.ended(ended.endNanos);
            inFlightBytes -= item.task().bytes();
            if (ended.step.isDone()) {
                steps.remove(ended.step.step());
            }
        }
    }

    /**
     * A running item of the first step that takes far longer than predicted, for a worker that has nothing else to do: it may be run once
     * more, and whichever ends first counts. Null if there is none. Each item is given once.
     */
    public @Nullable J again(long nowNanos) {
        if (steps.isEmpty()) {
            return null;
        }
        J latest = null;
        for (Map.Entry<J, Running> entry : running.entrySet()) {
            Running now = entry.getValue();
            double predicted = now.endNanos - now.startNanos;
            boolean late =
                    !now.again
                            && now.step.step() == steps.firstKey()
                            && nowNanos - now.startNanos > LATE * predicted;
            if (late && (latest == null || ORDER.compare(entry.getKey(), latest) < 0)) {
                latest = entry.getKey();
            }
        }
        if (latest != null) {
            running.computeIfPresent(latest, (_, was) -> was.secondTime());
        }
        return latest;
    }

    /** How each step stands that is not ready, in order. */
    public List<StepSlack> slack(long nowNanos) {
        List<StepSlack> found = new ArrayList<>();
        for (Expected<J> expected : chain(nowNanos)) {
            double slack = expected.dueNanos - nowNanos - expected.workNanos / settings.workers();
            found.add(new StepSlack(expected.step, expected.dueNanos, slack, expected.workNanos));
        }
        return found;
    }

    /**
     * How a step stands.
     *
     * @param deadlineNanos when the ranks are predicted to ask for it
     * @param slackNanos deadline - now - predicted remaining work of it and the steps before, over all workers
     * @param workNanos that work
     */
    public record StepSlack(long step, double deadlineNanos, double slackNanos, double workNanos) {}

    @Override
    public int size() {
        return waiting;
    }

    @Override
    public void clear() {
        steps.clear();
        running.clear();
        waiting = 0;
        inFlightBytes = 0;
    }
}
