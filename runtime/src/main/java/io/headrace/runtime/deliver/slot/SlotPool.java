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
 * so there are never more regions than slots were in use at once. A new region is as long as the longest slot so far where the limit
 * allows it, so regions soon serve every step and readers have them mapped. Lengths are rounded up to an eighth of a power of two. A slot
 * goes to the rank that last read its region where possible.
 *
 * <p>Safe for use by several threads; {@link #begin} may block, so it runs on a virtual thread.
 */
public final class SlotPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlotPool.class);
    private static final int CLASSES_PER_DOUBLING = 8;
    private static final long SMALLEST_REGION_BYTES = 64 << 10;

    /** After this, a wait for memory is told in the log with who holds it. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(30);

    private final SlotSettings settings;
    private final SlotMemory memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<FreeRegion> free = new ArrayList<>();
    private final Set<Slot> inUse = new LinkedHashSet<>();
    private long reservedBytes;
    private long longestBytes;

    /** Regions on their way from free or from the machine into a slot. */
    private int taking;

    /** Counts how often memory came back, so that a wait for it misses none. */
    private long returns;

    private long lastRegionId;
    private long lastLeaseId;
    private boolean closed;
    private boolean memoryClosed;

    private record FreeRegion(Region region, int lastRank) {}

    /** What there is for a slot. */
    private sealed interface Found {
        record Nothing() implements Found {}

        record Free(Region region) implements Found {}

        /** Leave to take memory from the machine, after giving back what is too short. */
        record Room(long id, long capacityBytes, long neededBytes, List<FreeRegion> givenUp)
                implements Found {}
    }

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
        return switch (locked(() -> find(layout.bytes(), rank))) {
            case Found.Nothing _ -> Optional.empty();
            case Found.Free(Region region) -> Optional.of(begun(region, layout, rank, step));
            case Found.Room room -> Optional.of(begun(take(room), layout, rank, step));
        };
    }

    /**
     * A slot with its headers written, waited for while all memory is in use.
     *
     * @throws SlotException if it can never be had, or not within {@code patience}: then the message names who holds the memory
     */
    public Slot begin(SlotLayout layout, int rank, long step, Duration patience)
            throws InterruptedException {
        long left = patience.toNanos();
        boolean warned = false;
        while (true) {
            long seen = locked(() -> returns);
            Optional<Slot> slot = tryBegin(layout, rank, step);
            if (slot.isPresent()) {
                return slot.get();
            }
            long first = Math.min(left, warned ? left : LONG_WAIT.toNanos());
            left -= first - awaitReturn(seen, first);
            if (!warned && patience.toNanos() - left >= LONG_WAIT.toNanos()) {
                warned = true;
                LOG.warn("{}", locked(() -> whoHolds(layout.bytes(), rank, step, LONG_WAIT)));
            }
            if (left <= 0) {
                throw new SlotException(
                        locked(() -> whoHolds(layout.bytes(), rank, step, patience)));
            }
        }
    }

    /** Waits until memory came back since {@code seen}; the time that is left of {@code nanos}. */
    private long awaitReturn(long seen, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (returns == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private Slot begun(Region region, SlotLayout layout, int rank, long step) {
        Slot slot = new Slot(this, region, layout, rank, step);
        lock.lock();
        try {
            taking--;
            if (closed) {
                drop(region);
                closeMemoryWhenUnused();
                throw closedPool();
            }
            inUse.add(slot);
        } finally {
            lock.unlock();
        }
        layout.writeHeaders(region.memory());
        return slot;
    }

    /** A free region that is long enough, or room for a new one; the lock is held. */
    private Found find(long bytes, int rank) {
        if (closed) {
            throw closedPool();
        }
        if (bytes > settings.limitBytes()) {
            throw new SlotException(
                    "A slot needs %,d bytes, the limit of all slots is %,d bytes"
                            .formatted(bytes, settings.limitBytes()));
        }
        Optional<FreeRegion> fitting =
                free.stream()
                        .filter(f -> f.region().capacityBytes() >= bytes)
                        .min(
                                Comparator.comparing((FreeRegion f) -> f.lastRank() != rank)
                                        .thenComparingLong(f -> f.region().capacityBytes()));
        if (fitting.isPresent()) {
            free.remove(fitting.get());
            taking++;
            return new Found.Free(fitting.get().region());
        }
        return room(bytes);
    }

    private Found room(long bytes) {
        List<FreeRegion> tooShort = new ArrayList<>();
        giveUpLargestFree(tooShort);
        long capacity = sizeClass(Math.max(bytes, longestBytes));
        if (!fits(capacity, tooShort)) {
            capacity = Math.min(sizeClass(bytes), settings.limitBytes());
        }
        while (reservedBytes + capacity > settings.limitBytes() && !free.isEmpty()) {
            giveUpLargestFree(tooShort);
        }
        boolean alone = inUse.isEmpty() && taking == 0;
        if (!alone && !fits(capacity, tooShort)) {
            tooShort.forEach(f -> reservedBytes += f.region().capacityBytes());
            free.addAll(tooShort);
            return new Found.Nothing();
        }
        reservedBytes += capacity;
        taking++;
        return new Found.Room(++lastRegionId, capacity, bytes, tooShort);
    }

    private boolean fits(long capacity, List<FreeRegion> givenUp) {
        long soonFree = givenUp.stream().mapToLong(f -> f.region().capacityBytes()).sum();
        return reservedBytes + capacity <= settings.limitBytes()
                && capacity <= memory.freeBytes() + soonFree;
    }

    /** Takes memory from the machine, which may need milliseconds for its pages: without the lock, so that no reader waits for it. */
    private Region take(Found.Room room) {
        try {
            room.givenUp().forEach(f -> release(f.region()));
            Region region = memory.allocate(room.id(), room.capacityBytes());
            locked(() -> longestBytes = Math.max(longestBytes, room.neededBytes()));
            return region;
        } catch (SlotException e) {
            lock.lock();
            try {
                taking--;
                reservedBytes -= room.capacityBytes();
                returns++;
                changed.signalAll();
                closeMemoryWhenUnused();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private void giveUpLargestFree(List<FreeRegion> givenUp) {
        free.stream()
                .max(Comparator.comparingLong(f -> f.region().capacityBytes()))
                .ifPresent(
                        largest -> {
                            free.remove(largest);
                            reservedBytes -= largest.region().capacityBytes();
                            givenUp.add(largest);
                        });
    }

    private void drop(Region region) {
        reservedBytes -= region.capacityBytes();
        release(region);
    }

    private void release(Region region) {
        region.free();
        memory.forget(region);
    }

    private SlotException closedPool() {
        return new SlotException("The slots of job " + settings.job() + " are closed");
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
            returns++;
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
        if (closed && inUse.isEmpty() && taking == 0 && !memoryClosed) {
            memoryClosed = true;
            memory.close();
        }
    }
}
