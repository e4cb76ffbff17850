package io.headrace.runtime.deliver.slot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Shared memory that is mapped once and used by one slot after the other. All its pages exist and are mapped before it is first written.
 * Owned by the pool; {@link #free} may be called while readers still map it.
 */
final class Region {
    private final long id;
    private final int fd;
    private final Path path;
    private final long inode;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    /** Takes over the open file, which has its length and pages. */
    Region(long id, int fd, Path path, long capacityBytes) {
        this.id = id;
        this.fd = fd;
        this.path = path;
        Path own = Path.of("/proc/self/fd/" + fd);
        try (FileChannel channel =
                FileChannel.open(own, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.inode = (Long) Files.getAttribute(own, "unix:ino");
            this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, capacityBytes, arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        memory.load();
    }

    long id() {
        return id;
    }

    /** Where a process of the same user opens it. */
    Path path() {
        return path;
    }

    /** Number of the file, by which a reader knows that it opened the right one. */
    long inode() {
        return inode;
    }

    MemorySegment memory() {
        return memory;
    }

    long capacityBytes() {
        return memory.byteSize();
    }

    /** Gives the pages back to the machine at once. */
    void free() {
        Posix.release(fd, memory.byteSize());
        arena.close();
        Posix.close(fd);
    }
}
