package io.headrace.runtime.deliver.slot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All slots of one job on this host, within a limit in bytes.
 *
 * <p>Memory is taken from the machine only when no free region is long enough; then a free region that is too short is given up first,
 * so there are never more regions than slots were in use at once. Regions are rounded up to an eighth of a power of two, so steps of
 * nearly the same length share them. A slot goes to the rank that last read its region where possible, which has it mapped.
 *
 * <p>Safe for use by several threads; {@link #begin} may block, so it runs on a virtual thread.
 */
public final class SlotPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlotPool.class);
    private static final int CLASSES_PER_DOUBLING = 8;
    private static final long SMALLEST_REGION_BYTES = 64 << 10;

    private final SlotSettings settings;
    private final SlotMemory memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<FreeRegion> free = new ArrayList<>();
    private final Set<Slot> inUse = new LinkedHashSet<>();
    private long reservedBytes;
    private long lastRegionId;
    private long lastLeaseId;
    private boolean closed;
    private boolean memoryClosed;

    private record FreeRegion(Region region, int lastRank) {}

    private SlotPool(SlotSettings settings, SlotMemory memory) {
        this.settings = settings;
        this.memory = memory;
    }

    /**
     * The pool of a job that starts.
     *
     * @throws SlotException if the job is alive already or its folder is not its user's alone
     */
    public static SlotPool open(SlotSettings settings) {
        return new SlotPool(settings, memory(settings));
    }

    private static SlotMemory memory(SlotSettings settings) {
        if (settings.backing() == Backing.MEMORY && NamelessMemory.isAvailable()) {
            return new NamelessMemory(settings.job());
        }
        if (settings.backing() == Backing.MEMORY) {
            LOG.warn("memfd_create is not allowed here: slots are files in {}", settings.folder());
        }
        return FolderMemory.open(settings.job(), settings.folder());
    }

    /**
     * A slot with its headers written, or nothing while all memory within the limit is in use.
     *
     * @throws SlotException if it can never be had
     */
    public Optional<Slot> tryBegin(SlotLayout layout, int rank, long step) {
        lock.lock();
        try {
            if (closed) {
                throw new SlotException("The slots of job " + settings.job() + " are closed");
            }
            return takeRegion(layout.bytes(), rank)
                    .map(region -> begun(region, layout, rank, step));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A slot with its headers written, waited for while all memory is in use.
     *
     * @throws SlotException if it can never be had, or not within {@code patience}: then the message names who holds the memory
     */
    public Slot begin(SlotLayout layout, int rank, long step, Duration patience)
            throws InterruptedException {
        lock.lock();
        try {
            long left = patience.toNanos();
            Optional<Slot> slot = tryBegin(layout, rank, step);
            while (slot.isEmpty()) {
                if (left <= 0) {
                    throw new SlotException(whoHolds(layout.bytes(), rank, step, patience));
                }
                left = changed.awaitNanos(left);
                slot = tryBegin(layout, rank, step);
            }
            return slot.get();
        } finally {
            lock.unlock();
        }
    }

    /** Takes memory for this many slots of a length ahead of need, so that no step pays for fresh pages. */
    public void warm(int slots, long bytes) {
        lock.lock();
        try {
            for (int i = 0;
                    i < slots && reservedBytes + sizeClass(bytes) <= settings.limitBytes();
                    i++) {
                free.add(new FreeRegion(allocate(sizeClass(bytes)), -1));
            }
        } finally {
            lock.unlock();
        }
    }

    private Slot begun(Region region, SlotLayout layout, int rank, long step) {
        Slot slot = new Slot(this, region, layout, rank, step);
        inUse.add(slot);
        layout.writeHeaders(region.memory());
        return slot;
    }

    private Optional<Region> takeRegion(long bytes, int rank) {
        Optional<FreeRegion> fitting =
                free.stream()
                        .filter(f -> f.region().capacityBytes() >= bytes)
                        .min(
                                Comparator.comparing((FreeRegion f) -> f.lastRank() != rank)
                                        .thenComparingLong(f -> f.region().capacityBytes()));
        if (fitting.isPresent()) {
            free.remove(fitting.get());
            return Optional.of(fitting.get().region());
        }
        return allocateWithinLimit(bytes);
    }

    private Optional<Region> allocateWithinLimit(long bytes) {
        if (bytes > settings.limitBytes()) {
            throw new SlotException(
                    "A slot needs %,d bytes, the limit of all slots is %,d bytes"
                            .formatted(bytes, settings.limitBytes()));
        }
        long capacity = Math.min(sizeClass(bytes), settings.limitBytes());
        dropLargestFree();
        while (reservedBytes + capacity > settings.limitBytes() && !free.isEmpty()) {
            dropLargestFree();
        }
        if (reservedBytes + capacity > settings.limitBytes()) {
            return Optional.empty();
        }
        return inUse.isEmpty() || capacity <= memory.freeBytes()
                ? Optional.of(allocate(capacity))
                : Optional.empty();
    }

    private Region allocate(long capacity) {
        Region region = memory.allocate(++lastRegionId, capacity);
        reservedBytes += capacity;
        return region;
    }

    private void dropLargestFree() {
        free.stream()
                .max(Comparator.comparingLong(f -> f.region().capacityBytes()))
                .ifPresent(
                        largest -> {
                            free.remove(largest);
                            drop(largest.region());
                        });
    }

    private void drop(Region region) {
        reservedBytes -= region.capacityBytes();
        region.free();
        memory.forget(region);
    }

    static long sizeClass(long bytes) {
        long unit =
                Math.max(SMALLEST_REGION_BYTES, Long.highestOneBit(bytes) / CLASSES_PER_DOUBLING);
        return (bytes + unit - 1) / unit * unit;
    }

    private String whoHolds(long bytes, int rank, long step, Duration patience) {
        String holders =
                inUse.stream()
                        .map(
                                s ->
                                        "rank %d step %d (%s, %d leases)"
                                                .formatted(
                                                        s.rank(),
                                                        s.step(),
                                                        s.state(),
                                                        s.openLeases()))
                        .collect(Collectors.joining(", "));
        return "No slot of %,d bytes for rank %d step %d within %d s: %,d of %,d bytes in %s are held by %s"
                .formatted(
                        bytes,
                        rank,
                        step,
                        patience.toSeconds(),
                        reservedBytes,
                        settings.limitBytes(),
                        memory.place(),
                        holders);
    }

    /** Takes a region back from a slot; the lock is held. */
    void takeBack(Slot slot, Region region) {
        inUse.remove(slot);
        if (closed) {
            drop(region);
            closeMemoryWhenUnused();
        } else {
            free.add(new FreeRegion(region, slot.rank()));
            changed.signalAll();
        }
    }

    /** A lease id that was never given before; the lock is held. */
    long nextLeaseId() {
        return ++lastLeaseId;
    }

    <T> T locked(Supplier<T> change) {
        lock.lock();
        try {
            return change.get();
        } finally {
            lock.unlock();
        }
    }

    /** Memory taken from the machine, in use or free. */
    public long reservedBytes() {
        return locked(() -> reservedBytes);
    }

    public long limitBytes() {
        return settings.limitBytes();
    }

    /** Slots between begin and the return of their memory. */
    public int slotsInUse() {
        return locked(inUse::size);
    }

    public int slotsFree() {
        return locked(free::size);
    }

    /** Gives all free memory back at once and that of each slot in use when it ends. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            free.forEach(f -> drop(f.region()));
            free.clear();
            inUse.stream()
                    .filter(s -> s.state() == Slot.State.READY)
                    .toList()
                    .forEach(Slot::retire);
            closeMemoryWhenUnused();
        } finally {
            lock.unlock();
        }
    }

    private void closeMemoryWhenUnused() {
        if (inUse.isEmpty() && !memoryClosed) {
            memoryClosed = true;
            memory.close();
        }
    }
}
