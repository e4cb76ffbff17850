package io.headrace.sources.stores;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The decompressed bytes of a file, in a file of the given folder that has no name: the system takes its space back when it is closed
 * or its process ends, however that happens.
 *
 * @param damage why decompression ended before the end, with what came before it kept; empty if it did not
 */
public record Unpacked(LocalFile bytes, String damage) implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * Decompresses a file.
     *
     * @param limitBytes more decompressed bytes are an error
     */
    public static Unpacked of(Path file, Compression compression, Path folder, long limitBytes)
            throws IOException {
        FileChannel out = unnamed(folder);
        try {
            String damage = copy(file, compression, out, limitBytes);
            return new Unpacked(LocalFile.of(file.toString(), out), damage);
        } catch (IOException | RuntimeException e) {
            out.close();
            throw e;
        }
    }

    /** A new file without a name, for writing and reading. */
    public static FileChannel unnamed(Path folder) throws IOException {
        Path path = Files.createTempFile(folder, "unpacked", ".bytes");
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(path);
        }
    }

    private static String copy(Path file, Compression compression, FileChannel out, long limitBytes)
            throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long total = 0;
        try (InputStream in = compression.open(file)) {
            while (true) {
                int read;
                try {
                    read = in.read(buffer);
                } catch (IOException e) {
                    return String.valueOf(e.getMessage());
                }
                if (read < 0) {
                    return "";
                }
                total += read;
                if (total > limitBytes) {
                    throw new IOException(
                            "Shard %s has more than %d decompressed bytes, which is the limit of the cache; unpack it, or raise the limit"
                                    .formatted(file, limitBytes));
                }
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
