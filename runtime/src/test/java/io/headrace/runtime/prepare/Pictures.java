package io.headrace.runtime.prepare;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Makes small pictures and shards of them. */
final class Pictures {

    private static final int HEADER_BYTES = 54;

    private Pictures() {}

    /** A BMP of one colour. */
    static byte[] bmp(int width, int height) {
        int row = (3 * width + 3) / 4 * 4;
        byte[] bytes = new byte[HEADER_BYTES + row * height];
        bytes[0] = 'B';
        bytes[1] = 'M';
        put(bytes, 2, bytes.length);
        put(bytes, 10, HEADER_BYTES);
        put(bytes, 14, 40);
        put(bytes, 18, width);
        put(bytes, 22, height);
        bytes[26] = 1;
        bytes[28] = 24;
        return bytes;
    }

    private static void put(byte[] bytes, int offset, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[offset + i] = (byte) (value >>> (8 * i));
        }
    }

    /** A tar of samples: a picture as wide as the sample's number + 1, and a caption of 4 bytes for each of 3 tokens. */
    static Path tar(Path file, int first, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, 512, "UTF-8")) {
            for (int i = first; i < first + count; i++) {
                add(tar, "%06d.bmp".formatted(i), bmp(i % 50 + 1, 2));
                add(
                        tar,
                        "%06d.txt".formatted(i),
                        "caption %04d".formatted(i).getBytes(StandardCharsets.UTF_8));
            }
            tar.finish();
            return Files.write(file, bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(TarArchiveOutputStream tar, String name, byte[] content)
            throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }
}
