package io.headrace.runtime.construct;

import io.headrace.runtime.deliver.StepAnswer;
import io.headrace.runtime.deliver.slot.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps that are made ready for one rank: from the one that it reads to some ahead. Belongs to the constructor's actor.
 */
final class RankWindow {

    private final int rank;
    private final int ahead;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private long first;
    private boolean asked;

    /** One step of the window. */
    static final class Entry {
        private final long step;
        private final long ticket;
        private final ReadySteps ready;
        private final List<CompletableFuture<StepAnswer>> asked = new ArrayList<>();
        private final List<CompletableFuture<StepAnswer>> askedAhead = new ArrayList<>();
        private @Nullable StepAnswer answer;
        private @Nullable StepBuild build;

        Entry(long step, long ticket, ReadySteps ready) {
            this.step = step;
            this.ticket = ticket;
            this.ready = ready;
        }

        long step() {
            return step;
        }

        /** Tells this entry from an earlier one of the same step. */
        long ticket() {
            return ticket;
        }

        boolean isReady() {
            return answer instanceof StepAnswer.Ready;
        }

        @Nullable StepBuild build() {
            return build;
        }

        /** Whether the rank waits: it has asked, other than ahead, and has no answer yet. */
        boolean isWaitedFor() {
            return !asked.isEmpty();
        }

        void building(StepBuild begun) {
            build = begun;
        }

        void ask(CompletableFuture<StepAnswer> future) {
            ask(future, asked);
        }

        void askAhead(CompletableFuture<StepAnswer> future) {
            ask(future, askedAhead);
        }

        private void ask(
                CompletableFuture<StepAnswer> future, List<CompletableFuture<StepAnswer>> asking) {
            if (answer != null) {
                future.complete(answer);
            } else {
                asking.add(future);
            }
        }

        void answer(StepAnswer found) {
            answer = found;
            if (found instanceof StepAnswer.Ready(Slot slot)) {
                ready.add(slot);
            }
            tell(future -> future.complete(found));
        }

        /** Gives back what the entry holds; who still waits for it is told. */
        void drop(String reason) {
            if (answer instanceof StepAnswer.Ready(Slot slot)) {
                ready.remove(slot);
                slot.retire();
            }
            if (build != null && answer == null) {
                build.cancel();
            }
            tell(future -> future.completeExceptionally(new IllegalStateException(reason)));
        }

        private void tell(Consumer<CompletableFuture<StepAnswer>> told) {
            asked.forEach(told);
            asked.clear();
            askedAhead.forEach(told);
            askedAhead.clear();
        }
    }

    RankWindow(int rank, int ahead) {
        this.rank = rank;
        this.ahead = ahead;
    }

    int rank() {
        return rank;
    }

    /** First step of the window: the one that the rank reads or asks for next. */
    long first() {
        return first;
    }

    /** Notes that the rank has asked for a step: from now on it says where its window stands. */
    void ask() {
        asked = true;
    }

    boolean isAsked() {
        return asked;
    }

    /** Whether the rank waits for a step right now. */
    boolean isWaitedFor() {
        return entries.values().stream().anyMatch(Entry::isWaitedFor);
    }

    @Nullable Entry entry(long step) {
        return entries.get(step);
    }

    void add(Entry entry) {
        entries.put(entry.step(), entry);
    }

    /** Whether a step of the window has no entry yet. */
    boolean lacks(long step) {
        return covers(step) && !entries.containsKey(step);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Last step of the window. */
    long last() {
        return first + ahead;
    }

    /** Drops what lies before a step. */
    void advanceTo(long step) {
        entries.headMap(step).values().forEach(entry -> entry.drop("The step was consumed"));
        entries.headMap(step).clear();
        first = Math.max(first, step);
    }

    /** Moves the window to a step outside of it: what it holds is dropped. */
    void moveTo(long step) {
        entries.values().forEach(entry -> entry.drop("The rank went on to step " + step));
        entries.clear();
        first = step;
    }

    boolean covers(long step) {
        return step >= first && step <= last();
    }

    /** Complete steps that are held. */
    int readySteps() {
        return (int) entries.values().stream().filter(Entry::isReady).count();
    }

    /** Whoever waits for this step or a later one gets the error. */
    void failFrom(long step, Exception failure) {
        for (Entry entry : entries.tailMap(step).values()) {
            entry.tell(future -> future.completeExceptionally(failure));
        }
    }
}
