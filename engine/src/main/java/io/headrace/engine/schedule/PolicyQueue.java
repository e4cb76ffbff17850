package io.headrace.engine.schedule;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A queue in the order of a {@link DecodePolicy}; time does not matter. */
public final class PolicyQueue<J extends DecodeQueue.Item> implements DecodeQueue<J> {

    private final PriorityQueue<J> waiting;

    public PolicyQueue(DecodePolicy policy) {
        this.waiting = new PriorityQueue<>((a, b) -> policy.compare(a.task(), b.task()));
    }

    @Override
    public void add(J item, long nowNanos) {
        waiting.add(item);
    }

    @Override
    public @Nullable J next(long nowNanos) {
        return waiting.poll();
    }

    @Override
    public void ended(J item, long nowNanos) {}

    @Override
    public int size() {
        return waiting.size();
    }

    @Override
    public void clear() {
        waiting.clear();
    }
}
