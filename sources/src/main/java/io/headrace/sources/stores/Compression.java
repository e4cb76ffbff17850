package io.headrace.sources.stores;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** How a whole file is compressed, as seen in its first bytes and never from its name. */
public enum Compression {
    NONE,
    GZIP,
    ZSTD;

    private static final int BUFFER_BYTES = 1 << 16;

    /** The compression of a file. */
    public static Compression of(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(4);
        }
        if (starts(head, 0x1f, 0x8b)) {
            return GZIP;
        }
        return starts(head, 0x28, 0xb5, 0x2f, 0xfd) ? ZSTD : NONE;
    }

    private static boolean starts(byte[] head, int... magic) {
        if (head.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((head[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** The decompressed bytes of a file; several frames or members one after the other are read as one. */
    InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            return switch (this) {
                case NONE -> in;
                case GZIP ->
                        GzipCompressorInputStream.builder()
                                .setInputStream(in)
                                .setDecompressConcatenated(true)
                                .get();
                case ZSTD -> new ZstdInputStream(in);
            };
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }
}
