package io.headrace.runtime.job.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a job's journal and ledger. An engine that ends keeps the ledger if it has lines, and nothing else; what a killed engine
 * left is removed, but for such a ledger, when the next engine over the same indexes starts; no other file is touched. The lock of the folder's {@code owner} file
 * tells the living from the dead; folders are made and removed under a lock beside their parent.
 */
final class JobFolder implements AutoCloseable {

    private static final String LEDGER = "ledger.jsonl";
    private static final String JOURNAL = "planner";
    private static final String OWNER = "owner";
    private static final String PARENT_LOCK = "jobs.lock";

    /** Four seconds for an engine that is ending. */
    private static final int LOOKS_FOR_AN_END = 80;

    private static final long LOOK_NANOS = 50_000_000;

    private final Path folder;
    private final FileChannel owner;

    private JobFolder(Path folder, FileChannel owner) {
        this.folder = folder;
        this.owner = owner;
    }

    /**
     * Takes a job's folder, and removes those of dead engines beside it.
     *
     * @param served whether another engine serves the job, so that waiting for it is in vain
     * @throws IOException if another engine holds it
     */
    static JobFolder open(Path folder, BooleanSupplier served) throws IOException {
        for (int look = 0; look < LOOKS_FOR_AN_END; look++) {
            FileChannel owner = tryOpen(folder);
            if (owner != null) {
                return new JobFolder(folder, owner);
            }
            if (served.getAsBoolean()) {
                break;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw new IOException("Another engine of this job runs already: it holds " + folder);
    }

    private static @Nullable FileChannel tryOpen(Path folder) throws IOException {
        Path parent = Objects.requireNonNull(folder.toAbsolutePath().getParent());
        Files.createDirectories(parent);
        try (FileChannel _ = locked(parent)) {
            removeDead(parent, folder.toAbsolutePath());
            Files.createDirectories(folder);
            return claim(folder);
        }
    }

    Path ledger() {
        return folder.resolve(LEDGER);
    }

    Path journal() {
        return folder.resolve(JOURNAL);
    }

    /** For files without a name. */
    Path path() {
        return folder;
    }

    private static FileChannel locked(Path parent) throws IOException {
        FileChannel channel = channel(parent.resolveSibling(PARENT_LOCK));
        channel.lock(); // held for milliseconds, released by the kernel if the holder is killed
        return channel;
    }

    private static FileChannel channel(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** The open lock file of a folder that no living engine has; null if one has it. */
    private static @Nullable FileChannel claim(Path folder) throws IOException {
        FileChannel channel = channel(folder.resolve(OWNER));
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            return null;
        }
        return channel;
    }

    private static void removeDead(Path parent, Path own) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, Files::isDirectory)) {
            for (Path folder : folders) {
                boolean other = !folder.equals(own) && Files.exists(folder.resolve(OWNER));
                FileChannel owner = other ? claim(folder) : null;
                if (owner != null) {
                    try (owner) {
                        clear(folder);
                    }
                }
            }
        }
    }

    /** Removes an engine's files, but for a ledger that has lines, and the folder itself if nothing is left. */
    private static void clear(Path folder) throws IOException {
        boolean empty = true;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                boolean removed = isOwn(file);
                empty &= removed;
                if (removed) {
                    Files.deleteIfExists(file);
                }
            }
        }
        if (empty) {
            Files.deleteIfExists(folder);
        }
    }

    private static boolean isOwn(Path file) throws IOException {
        String name = file.getFileName().toString();
        return name.equals(OWNER)
                || name.startsWith(JOURNAL + ".")
                || (name.equals(LEDGER) && Files.size(file) == 0);
    }

    @Override
    public void close() throws IOException {
        Path parent = Objects.requireNonNull(folder.toAbsolutePath().getParent());
        try (FileChannel _ = locked(parent);
                owner) {
            clear(folder);
        }
    }
}
