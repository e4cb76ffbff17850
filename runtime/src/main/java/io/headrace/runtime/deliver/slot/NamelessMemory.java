package io.headrace.runtime.deliver.slot;

import java.nio.file.Path;

/**
 * Regions without a name in any folder. Ranks of the same user open them as {@code /proc/PID/fd/N} of the engine. The kernel frees them
 * with the last process that maps them, so nothing can be left behind by any kill.
 */
final class NamelessMemory implements SlotMemory {
    private final String label;

    NamelessMemory(String job) {
        this.label = "headrace-" + job;
    }

    /** Whether this machine has such memory; a sandbox may forbid it. */
    static boolean isAvailable() {
        int fd = Posix.memoryFile("headrace-probe");
        return fd >= 0 && Posix.close(fd) == 0;
    }

    @Override
    public Region allocate(long id, long bytes) {
        long free = freeBytes();
        if (bytes > free) {
            throw noRoom(bytes, free);
        }
        int fd = Posix.memoryFile(label);
        if (fd < 0) {
            throw new SlotException("No shared memory: memfd_create gives error " + -fd);
        }
        if (Posix.reserve(fd, bytes) != 0) {
            Posix.close(fd);
            throw noRoom(bytes, free);
        }
        Path path = Path.of("/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), fd));
        return new Region(id, fd, path, bytes);
    }

    private static SlotException noRoom(long bytes, long free) {
        return new SlotException(
                "A slot needs %,d bytes of memory, %,d bytes are free. Lower delivery.ready_ahead or the batch, or raise the memory limit of the container"
                        .formatted(bytes, free));
    }

    @Override
    public long freeBytes() {
        return MemoryLimits.freeBytes();
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public void forget(Region region) {}

    @Override
    public void close() {}
}
