package io.headrace.runtime.prepare;

import io.headrace.engine.index.SampleIndex;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder beside an index where the indexes of single shards lie until all are there. It outlives a run that ends early, so that the
 * next goes on from it. One run at a time has it; the system frees it with the process.
 */
final class WorkFolder implements AutoCloseable {

    private final Path folder;
    private final FileChannel lock;

    private WorkFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Takes the folder of an index; it is made if need be. */
    static WorkFolder open(Path index) throws IOException {
        Path folder = index.resolveSibling(index.getFileName() + ".work");
        Files.createDirectories(folder);
        FileChannel lock =
                FileChannel.open(
                        folder.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // held within this process: told below
        } finally {
            if (!locked) {
                lock.close();
            }
        }
        if (!locked) {
            throw new IOException("Index %s is being prepared by another run".formatted(index));
        }
        return new WorkFolder(folder, lock);
    }

    Path path() {
        return folder;
    }

    /** Where the index of one shard lies; another content of the shard or other settings lead elsewhere. */
    Path partial(ShardWork shard, String settings) {
        String identity =
                String.join(
                        "\0",
                        shard.name(),
                        Long.toString(shard.sizeBytes()),
                        Long.toString(shard.modifiedNanos()),
                        settings);
        UUID hash = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
        return folder.resolve(hash + ".shard");
    }

    /** The index of one shard, if a run before has finished it. */
    Optional<SampleIndex> known(ShardWork shard, String settings) {
        Path file = partial(shard, settings);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(SampleIndex.open(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Removes the folder: the index is whole. */
    void remove() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
