package io.headrace.sources.formats;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Makes tars for tests with another library than the one that is tested. */
public final class TarBytes {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, 512, "UTF-8");

    public TarBytes posix() {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        tar.setAddPaxHeadersForNonAsciiNames(true);
        return this;
    }

    public TarBytes gnu() {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        return this;
    }

    /** Adds files of the same content as their name. */
    public TarBytes files(String... names) {
        for (String name : names) {
            file(name, name);
        }
        return this;
    }

    public TarBytes file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public TarBytes file(String name, byte[] content) {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setSize(content.length);
        return entry(entry, content);
    }

    public TarBytes entry(TarArchiveEntry entry, byte[] content) {
        try {
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public TarBytes special(String name, byte type, String linkName) {
        TarArchiveEntry entry = new TarArchiveEntry(name, type);
        entry.setLinkName(linkName);
        return entry(entry, new byte[0]);
    }

    public byte[] toBytes() {
        try {
            tar.close();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path write(Path file) {
        try {
            return Files.write(file, toBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path writeGzip(Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(toBytes());
        }
        return file;
    }

    public Path writeZstd(Path file) throws IOException {
        try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(file))) {
            out.write(toBytes());
        }
        return file;
    }
}
