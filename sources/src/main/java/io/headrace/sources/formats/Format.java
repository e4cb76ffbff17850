package io.headrace.sources.formats;

import io.headrace.sources.stores.Compression;
import io.headrace.sources.stores.FileStamp;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** How samples lie in a shard. */
public sealed interface Format {

    /** A WebDataset tar, plain or compressed as a whole. */
    record Tar(Compression compression) implements Format {}

    /** A Parquet file: a row is a sample. */
    record Parquet() implements Format {}

    /** JSON objects, one a line, plain or compressed as a whole. */
    record JsonLines(Compression compression) implements Format {}

    /** One JSON list of objects, plain or compressed as a whole. */
    record JsonList(Compression compression) implements Format {}

    /** A folder of files. */
    record Folder() implements Format {}

    /** Compression of the whole file; NONE for formats that compress within. */
    default Compression wholeCompression() {
        return switch (this) {
            case Tar tar -> tar.compression;
            case JsonLines lines -> lines.compression;
            case JsonList list -> list.compression;
            case Parquet _, Folder _ -> Compression.NONE;
        };
    }

    /**
     * The format of a shard: a folder by its kind, a file by the end of its name, the compression by its first bytes.
     *
     * @throws IOException if no format has such names; the message lists those that are read
     */
    static Format of(Path shard) throws IOException {
        if (Files.isDirectory(shard)) {
            return new Folder();
        }
        String name = shard.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".parquet") || name.endsWith(".pq")) {
            return new Parquet();
        }
        String plain = name.replaceFirst("\\.(gz|zst|zstd)$", "");
        if (plain.endsWith(".tar") || name.endsWith(".tgz") || name.endsWith(".tzst")) {
            return new Tar(Compression.of(shard));
        }
        if (plain.endsWith(".jsonl") || plain.endsWith(".ndjson")) {
            return new JsonLines(Compression.of(shard));
        }
        if (plain.endsWith(".json")) {
            Compression compression = Compression.of(shard);
            return compression == Compression.NONE && beginsWithObject(shard)
                    ? new JsonLines(compression)
                    : new JsonList(compression);
        }
        throw new IOException(
                "Shard %s: names that are read end in .tar, .tar.gz, .tgz, .tar.zst, .parquet, .jsonl, .json, or are folders"
                        .formatted(shard));
    }

    private static boolean beginsWithObject(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (byte b : in.readNBytes(4096)) {
                if (b == '{' || b == '[') {
                    return b == '{';
                }
            }
            return false;
        }
    }

    /** The stamp of a shard. That of a folder is of all below it: their bytes together, and the last change of any. */
    static FileStamp stamp(Path shard) throws IOException {
        if (!Files.isDirectory(shard)) {
            return FileStamp.of(shard);
        }
        long bytes = 0;
        long modified = 0;
        try (Stream<Path> paths = Files.walk(shard)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                FileStamp stamp = FileStamp.of(path);
                bytes += Files.isDirectory(path) ? 0 : stamp.sizeBytes();
                modified = Math.max(modified, stamp.modifiedNanos());
            }
        } catch (UncheckedIOException e) {
            throw new IOException("Folder %s: %s".formatted(shard, e.getMessage()), e);
        }
        return new FileStamp(bytes, modified);
    }
}
