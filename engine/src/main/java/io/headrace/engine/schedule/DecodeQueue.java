package io.headrace.engine.schedule;

import org.jspecify.annotations.Nullable;

/** Waiting work of a pool of workers, and which of it runs next. Time is an argument and never goes back. Not thread-safe. */
public interface DecodeQueue<J extends DecodeQueue.Item> {

    /** What is queued. */
    interface Item {
        DecodePolicy.Task task();
    }

    /** Queues an item. */
    void add(J item, long nowNanos);

    /** Takes what a free worker is to run now; null if there is nothing that may start. */
    @Nullable J next(long nowNanos);

    /** A worker has ended an item that {@link #next} gave. */
    void ended(J item, long nowNanos);

    /** Items that wait. */
    int size();

    /** Drops what waits. */
    void clear();
}
