package io.headrace.runtime.construct;

import io.headrace.engine.plan.StepPlan;
import io.headrace.runtime.construct.shape.StepShape;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.deliver.slot.SlotException;
import io.headrace.runtime.deliver.slot.SlotLayout;
import io.headrace.runtime.deliver.slot.SlotPool;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;

/**
 * Gives slots to steps in the order of the steps, one after the other. An earlier step of any rank comes before a later one of another,
 * so ranks that wait for each other never wait for memory that only later steps hold.
 *
 * <p>Thread: one virtual thread, {@code headrace-slots}, which may block for memory. Any thread may ask.
 */
final class SlotQueue implements AutoCloseable {

    /** A rank that holds its slot longer than this while others starve is told apart from a slow one: the job ends with who holds what. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final PriorityBlockingQueue<Request> requests =
            new PriorityBlockingQueue<>(
                    16,
                    Comparator.comparingLong((Request r) -> r.plan.step())
                            .thenComparingInt(r -> r.rank));
    private final SlotPool pool;
    private final Function<Request, StepShape> shapes;
    private final Layouts layouts;
    private final Taker taker;
    private final Thread thread;

    /** A rank's part of a plan that needs a slot. */
    record Request(StepPlan plan, int rank, long ticket) {}

    /** The slot layout of a shape. */
    interface Layouts extends Function<StepShape, SlotLayout> {}

    /** Who gets the slots; called on the queue's thread. */
    interface Taker {
        void begun(Request request, StepShape shape, Slot slot);

        void refused(Request request, String reason);
    }

    SlotQueue(SlotPool pool, Function<Request, StepShape> shapes, Layouts layouts, Taker taker) {
        this.pool = pool;
        this.shapes = shapes;
        this.layouts = layouts;
        this.taker = taker;
        this.thread = Thread.ofVirtual().name("headrace-slots").start(this::serve);
    }

    void ask(Request request) {
        requests.add(request);
    }

    private void serve() {
        try {
            while (true) {
                Request request = requests.take();
                try {
                    StepShape shape = shapes.apply(request);
                    Slot slot =
                            pool.begin(
                                    layouts.apply(shape),
                                    request.rank(),
                                    request.plan().step(),
                                    PATIENCE);
                    taker.begun(request, shape, slot);
                } catch (SlotException | IllegalArgumentException | IllegalStateException e) {
                    taker.refused(request, String.valueOf(e.getMessage()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
