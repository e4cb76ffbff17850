package io.headrace.runtime.deliver;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The folder of a user's sockets: {@code $XDG_RUNTIME_DIR/headrace}, or {@code /tmp/headrace-UID} where that is not set, missing or too
 * long. Mode 0700. A socket that nobody listens on is left by a dead engine and removed by the next one.
 */
public final class SocketFolder {
    /** The kernel takes 108 bytes with the closing zero; a dot and a process number are added for a moment. */
    public static final int LONGEST_PATH_BYTES = 99;

    private static final int LOOKS_FOR_AN_END = 40;
    private static final int JOB_NAME_BYTES = 40;
    private static final long SECOND_LOOK_NANOS = 50_000_000;
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rwx------");

    private SocketFolder() {}

    /** Where the engine of a job listens unless told otherwise. */
    public static Path socket(String job) {
        return folder(System.getenv()).resolve(job + ".sock");
    }

    static Path folder(Map<String, String> environment) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        Path own = Path.of(runtime, "headrace");
        return !runtime.isEmpty()
                        && Files.isWritable(Path.of(runtime))
                        && bytes(own) + JOB_NAME_BYTES <= LONGEST_PATH_BYTES
                ? own
                : Path.of("/tmp/headrace-" + ownUserId());
    }

    /**
     * Makes the folder of a socket if need be, checks that no other user can reach it, and removes sockets of dead engines from it.
     *
     * An engine that is about to end is given two seconds.
     *
     * @throws IOException if the path is too long, the folder is not the user's alone, or another engine listens there
     */
    static void prepare(Path socket) throws IOException {
        if (bytes(socket) > LONGEST_PATH_BYTES) {
            throw new IOException(
                    "The socket path %s has %d bytes, at most %d are allowed"
                            .formatted(socket, bytes(socket), LONGEST_PATH_BYTES));
        }
        Path folder = socket.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("The socket path " + socket + " has no folder");
        }
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
        }
        checkPrivate(folder);
        removeDead(folder);
        for (int look = 0; look < LOOKS_FOR_AN_END && Files.exists(socket); look++) {
            LockSupport.parkNanos(SECOND_LOOK_NANOS);
            removeDead(folder);
        }
        if (Files.exists(socket)) {
            throw new IOException("An engine listens on " + socket + " already");
        }
    }

    private static void checkPrivate(Path folder) throws IOException {
        Set<PosixFilePermission> mode =
                Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        if (!mode.equals(PRIVATE) || userId(folder) != ownUserId()) {
            throw new IOException(
                    "The socket folder %s must belong to user %d with mode rwx------, but belongs to user %d with mode %s"
                            .formatted(
                                    folder,
                                    ownUserId(),
                                    userId(folder),
                                    PosixFilePermissions.toString(mode)));
        }
    }

    private static void removeDead(Path folder) throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(folder, "*.sock*")) {
            for (Path socket : sockets) {
                if (isDead(socket)) {
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    /** Asks twice: an engine that starts has its socket for an instant before it listens. */
    private static boolean isDead(Path socket) {
        if (isAlive(socket)) {
            return false;
        }
        LockSupport.parkNanos(SECOND_LOOK_NANOS);
        return !isAlive(socket);
    }

    /** Whether an engine listens there. */
    public static boolean isAlive(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            return false;
        }
    }

    /** A name beside the socket under which it is made: it gets its own name when it is ready. */
    static Path unpublished(Path socket) {
        return socket.resolveSibling(socket.getFileName() + "." + ProcessHandle.current().pid());
    }

    private static int bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static long ownUserId() {
        return new UnixSystem().getUid();
    }

    private static long userId(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }
}
