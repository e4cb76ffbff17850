package io.headrace.engine.schedule;

import io.headrace.engine.schedule.DecodePolicy.Task;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** Work of one step: what waits, by rank, and how much is running. Every operation takes logarithmic time. */
final class StepWork<J extends DecodeQueue.Item> {

    private final long step;
    private final Map<Integer, Cell<J>> cells = new HashMap<>();

    /** Ranks with waiting work: that with the longest item first. */
    private final TreeSet<Cell<J>> byLongest =
            new TreeSet<>(
                    (a, b) -> {
                        int byWork = Long.compare(b.longestNanos(), a.longestNanos());
                        return byWork != 0 ? byWork : Integer.compare(a.rank, b.rank);
                    });

    /** Ranks with waiting work: that with the least of it first. */
    private final TreeSet<Cell<J>> byRemaining =
            new TreeSet<>(
                    (a, b) -> {
                        int byWork = Long.compare(a.queuedNanos, b.queuedNanos);
                        return byWork != 0 ? byWork : Integer.compare(a.rank, b.rank);
                    });

    private long queuedNanos;
    private int running;
    private double runningEnds;

    /** Waiting work of a rank, the longest first. */
    private static final class Cell<J extends DecodeQueue.Item> {
        private final int rank;
        private final PriorityQueue<J> waiting =
                new PriorityQueue<>(
                        (a, b) -> DecodePolicy.FIRST_STEP_FIRST.compare(a.task(), b.task()));
        private long queuedNanos;

        Cell(int rank) {
            this.rank = rank;
        }

        long longestNanos() {
            J head = waiting.peek();
            return head == null ? 0 : head.task().predictedNanos();
        }
    }

    StepWork(long step) {
        this.step = step;
    }

    long step() {
        return step;
    }

    void add(J item) {
        Task task = item.task();
        Cell<J> cell = cells.computeIfAbsent(task.rank(), Cell::new);
        byLongest.remove(cell);
        byRemaining.remove(cell);
        cell.waiting.add(item);
        cell.queuedNanos += task.predictedNanos();
        queuedNanos += task.predictedNanos();
        byLongest.add(cell);
        byRemaining.add(cell);
    }

    /** The longest item of all ranks. */
    J longest() {
        return head(byLongest.getFirst());
    }

    /** The longest item of the rank that has the least left: ranks are finished one by one. */
    J ofNearlyDoneRank() {
        return head(byRemaining.getFirst());
    }

    private J head(Cell<J> cell) {
        J head = cell.waiting.peek();
        if (head == null) {
            throw new IllegalStateException("A rank without work is listed in step " + step);
        }
        return head;
    }

    /** Takes an item that one of the two above gave. */
    void take(J item) {
        Task task = item.task();
        Cell<J> cell = cells.get(task.rank());
        if (cell == null || !item.equals(cell.waiting.peek())) {
            throw new IllegalStateException("Not at the head of its rank: " + task);
        }
        byLongest.remove(cell);
        byRemaining.remove(cell);
        cell.waiting.remove();
        cell.queuedNanos -= task.predictedNanos();
        queuedNanos -= task.predictedNanos();
        if (cell.waiting.isEmpty()) {
            cells.remove(task.rank());
        } else {
            byLongest.add(cell);
            byRemaining.add(cell);
        }
    }

    void started(double endNanos) {
        running++;
        runningEnds += endNanos;
    }

    void ended(double endNanos) {
        running--;
        runningEnds = running == 0 ? 0 : runningEnds - endNanos;
    }

    boolean hasWaiting() {
        return !byLongest.isEmpty();
    }

    boolean isDone() {
        return running == 0 && byLongest.isEmpty();
    }

    /** Predicted work that waits and that is left of what runs. */
    double remainingNanos(double nowNanos) {
        return queuedNanos + Math.max(0, runningEnds - running * nowNanos);
    }
}
