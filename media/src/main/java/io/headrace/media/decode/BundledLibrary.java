package io.headrace.media.decode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Takes a native library out of a jar on the class path into a folder that only its user can read, named by its content. A file that
 * is there already is compared with the jar before it is used; a new one appears by a rename, so that processes may race.
 */
final class BundledLibrary {

    private BundledLibrary() {}

    /** The extracted file; empty if no jar has the resource. */
    static Optional<Path> extract(String resource) throws IOException {
        byte[] content;
        try (InputStream stream = BundledLibrary.class.getResourceAsStream("/" + resource)) {
            if (stream == null) {
                return Optional.empty();
            }
            content = stream.readAllBytes();
        }
        Path folder = privateFolder();
        Path file = folder.resolve(sha256(content).substring(0, 32) + "-" + resource);
        if (!Files.isRegularFile(file) || !Arrays.equals(Files.readAllBytes(file), content)) {
            Path fresh = Files.createTempFile(folder, resource, ".new");
            try {
                Files.write(fresh, content);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        }
        return Optional.of(file);
    }

    /** {@code $XDG_CACHE_HOME/headrace/natives}, else under {@code ~/.cache}, else a new temporary folder. */
    private static Path privateFolder() throws IOException {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path cache =
                xdg != null && xdg.startsWith("/")
                        ? Path.of(xdg)
                        : Path.of(System.getProperty("user.home"), ".cache");
        Path folder = cache.resolve("headrace").resolve("natives");
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            return folder;
        } catch (IOException notWritable) {
            Path temporary = Files.createTempDirectory("headrace-natives");
            temporary.toFile().deleteOnExit();
            return temporary;
        }
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
