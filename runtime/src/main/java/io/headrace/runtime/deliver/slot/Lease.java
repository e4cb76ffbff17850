package io.headrace.runtime.deliver.slot;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to read a slot. The slot's memory is not written while a lease on it is open. Closed once, by its reader or on behalf of a
 * dead one; later closes do nothing. Safe for use by several threads.
 */
public final class Lease implements AutoCloseable {
    private final long id;
    private final Slot slot;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Lease(long id, Slot slot) {
        this.id = id;
        this.slot = slot;
    }

    /** Unique for the life of the engine. */
    public long id() {
        return id;
    }

    public Slot slot() {
        return slot;
    }

    /** The bytes of the slot, as long as its layout. */
    public MemorySegment memory() {
        return slot.memory();
    }

    public boolean isOpen() {
        return open.get();
    }

    /** Whether this call closed it. */
    public boolean release() {
        boolean first = open.compareAndSet(true, false);
        if (first) {
            slot.leaseClosed();
        }
        return first;
    }

    @Override
    public void close() {
        release();
    }
}
