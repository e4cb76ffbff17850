package io.headrace.runtime.deliver.slot;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Shared memory that holds one step of one rank, from the moment it is laid out until its memory goes back to the pool.
 *
 * <p>Begun, written, then committed or aborted; a committed slot may be read under leases any number of times; a retired one gives no
 * more leases and its memory goes back with the last. The memory had other content before: whoever begins a slot writes every byte of
 * every tensor. State changes under the pool's lock; tensors may be written by several threads at once, and whoever commits must have
 * seen them end.
 */
public final class Slot {

    /** Where a slot is in its life. */
    public enum State {
        WRITING,
        READY,
        RETIRED,
        /** Its memory belongs to the pool again. */
        FREED
    }

    private final SlotPool pool;
    private final Region region;
    private final SlotLayout layout;
    private final int rank;
    private final long step;
    private State state = State.WRITING;
    private int openLeases;

    Slot(SlotPool pool, Region region, SlotLayout layout, int rank, long step) {
        this.pool = pool;
        this.region = region;
        this.layout = layout;
        this.rank = rank;
        this.step = step;
    }

    public SlotLayout layout() {
        return layout;
    }

    public int rank() {
        return rank;
    }

    public long step() {
        return step;
    }

    /** Names the memory: the same as long as a reader's mapping of it holds, never used again for other memory. */
    public long regionId() {
        return region.id();
    }

    /** Where a process of the same user opens the memory. */
    public Path path() {
        return region.path();
    }

    /** File number of the memory, by which a reader checks that it opened the right one. */
    public long inode() {
        return region.inode();
    }

    /** Length of the memory in bytes, at least that of the layout. */
    public long capacityBytes() {
        return region.capacityBytes();
    }

    /** One tensor's memory, to be filled before the commit. */
    public MemorySegment tensor(int microbatch, String name) {
        return layout.tensor(region.memory(), microbatch, name);
    }

    /** Publishes the content. */
    public void commit() {
        pool.locked(
                () -> {
                    expect(State.WRITING);
                    state = State.READY;
                    return state;
                });
    }

    /** Gives the memory back unpublished. */
    public void abort() {
        pool.locked(
                () -> {
                    expect(State.WRITING);
                    free();
                    return state;
                });
    }

    /** A lease on the content; empty once the slot is retired. */
    public Optional<Lease> lease() {
        return pool.locked(
                () -> {
                    if (state != State.READY) {
                        return Optional.<Lease>empty();
                    }
                    openLeases++;
                    return Optional.of(new Lease(pool.nextLeaseId(), this));
                });
    }

    /** No more leases; the memory goes back with the last open one. Later calls do nothing. */
    public void retire() {
        pool.locked(
                () -> {
                    if (state == State.READY) {
                        state = State.RETIRED;
                        freeIfUnused();
                    }
                    return state;
                });
    }

    public State state() {
        return pool.locked(() -> state);
    }

    public int openLeases() {
        return pool.locked(() -> openLeases);
    }

    MemorySegment memory() {
        return region.memory().asSlice(0, layout.bytes());
    }

    void leaseClosed() {
        pool.locked(
                () -> {
                    openLeases--;
                    freeIfUnused();
                    return state;
                });
    }

    private void freeIfUnused() {
        if (state == State.RETIRED && openLeases == 0) {
            free();
        }
    }

    private void free() {
        state = State.FREED;
        pool.takeBack(this, region);
    }

    private void expect(State expected) {
        if (state != expected) {
            throw new IllegalStateException(
                    "Slot of rank %d step %d is %s, not %s".formatted(rank, step, state, expected));
        }
    }
}
