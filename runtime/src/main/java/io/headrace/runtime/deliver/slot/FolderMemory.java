package io.headrace.runtime.deliver.slot;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Regions as files of one folder per job, {@code headrace-UID-JOB}, mode 0700, files 0600. The engine holds the lock of the folder's
 * {@code owner} file for its life, so a folder whose lock can be taken belongs to a dead engine; such folders of the same user are
 * removed when the next engine of any job starts, and the engine's own folder when it is closed.
 */
final class FolderMemory implements SlotMemory {
    private static final Logger LOG = LoggerFactory.getLogger(FolderMemory.class);
    private static final String OWNER_FILE = "owner";

    /** Another engine that looks for stale folders holds the lock for an instant; half a second is long enough. */
    private static final int CLAIM_ATTEMPTS = 20;

    private static final long CLAIM_PAUSE_NANOS = 25_000_000;

    private final Path folder;
    private final int ownerFd;
    private final FileStore store;

    private FolderMemory(Path folder, int ownerFd, FileStore store) {
        this.folder = folder;
        this.ownerFd = ownerFd;
        this.store = store;
    }

    /** Removes what dead engines left in the parent, then makes the job's own folder. */
    static FolderMemory open(String job, Path wanted) {
        Path parent = usable(wanted) ? wanted : fallback(wanted);
        try {
            String prefix = "headrace-" + userId() + "-";
            removeStale(parent, prefix);
            Path folder = parent.resolve(prefix + job);
            int owner = claim(folder);
            return new FolderMemory(folder, owner, Files.getFileStore(folder));
        } catch (IOException e) {
            throw new SlotException("Slots cannot be made in " + parent + ": " + e, e);
        }
    }

    private static boolean usable(Path parent) {
        return Files.isDirectory(parent) && Files.isWritable(parent);
    }

    private static Path fallback(Path wanted) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        LOG.warn("{} is missing or not writable: slots go to {}", wanted, temporary);
        return temporary;
    }

    private static long userId() {
        return new UnixSystem().getUid();
    }

    private static int claim(Path folder) throws IOException {
        for (int attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
            OptionalInt owner = tryClaim(folder);
            if (owner.isPresent()) {
                return owner.getAsInt();
            }
            LockSupport.parkNanos(CLAIM_PAUSE_NANOS);
        }
        throw new SlotException(folder + " belongs to another engine that is alive");
    }

    /** Empty if another process holds the lock, or removed the folder as stale before it was locked. */
    private static OptionalInt tryClaim(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        checkPrivate(folder);
        Path file = folder.resolve(OWNER_FILE);
        int owner = Posix.openFile(file.toString());
        if (owner >= 0 && Posix.lock(owner) == 0 && Files.exists(file) && same(owner, file)) {
            return OptionalInt.of(owner);
        }
        if (owner >= 0) {
            Posix.close(owner);
        }
        return OptionalInt.empty();
    }

    private static boolean same(int fd, Path file) throws IOException {
        return Files.isSameFile(Path.of("/proc/self/fd/" + fd), file);
    }

    private static void checkPrivate(Path folder) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String mode = PosixFilePermissions.toString(found.permissions());
        int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory() || !mode.equals("rwx------") || owner != userId()) {
            throw new SlotException(
                    "%s must be a folder of user %d with mode rwx------, but it is %s of user %d with mode %s"
                            .formatted(
                                    folder,
                                    userId(),
                                    found.isDirectory() ? "a folder" : "none",
                                    owner,
                                    mode));
        }
    }

    private static void removeStale(Path parent, String prefix) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path folder : folders) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && isStale(folder)) {
                    delete(folder);
                    LOG.info("Removed the slots of a dead engine: {}", folder);
                }
            }
        }
    }

    private static boolean isStale(Path folder) {
        int owner = Posix.openFile(folder.resolve(OWNER_FILE).toString());
        boolean stale = owner >= 0 && Posix.lock(owner) == 0;
        if (owner >= 0) {
            Posix.close(owner);
        }
        return stale;
    }

    private static void delete(Path folder) throws IOException {
        List<Path> deepestFirst = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(deepestFirst::add);
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public Region allocate(long id, long bytes) {
        long free = freeBytes();
        if (bytes > free) {
            throw noRoom(bytes, free);
        }
        Path file = folder.resolve("slot-" + id);
        int fd = Posix.createFile(file.toString());
        if (fd < 0) {
            throw new SlotException("%s cannot be made: error %d".formatted(file, -fd));
        }
        if (Posix.reserve(fd, bytes) != 0) {
            Posix.close(fd);
            remove(file);
            throw noRoom(bytes, free);
        }
        return new Region(id, fd, file, bytes);
    }

    private SlotException noRoom(long bytes, long free) {
        return new SlotException(
                "A slot needs %,d bytes in %s, %,d bytes are free. Enlarge it (docker: --shm-size), lower delivery.ready_ahead or the batch"
                        .formatted(bytes, folder.getParent(), free));
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long freeBytes() {
        try {
            return Math.min(store.getUsableSpace(), MemoryLimits.freeBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String place() {
        return folder.toString();
    }

    @Override
    public void forget(Region region) {
        remove(region.path());
    }

    @Override
    public void close() {
        try {
            delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Posix.close(ownerFd);
        }
    }
}
