package io.headrace.sources.read;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.Format;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.folder.FolderScanner;
import io.headrace.sources.formats.json.JsonLinesScanner;
import io.headrace.sources.formats.json.JsonListScanner;
import io.headrace.sources.formats.parquet.ParquetGuard;
import io.headrace.sources.formats.parquet.ParquetScanner;
import io.headrace.sources.formats.tar.TarScanner;
import io.headrace.sources.stores.ByteSource;
import io.headrace.sources.stores.Compression;
import io.headrace.sources.stores.LocalFile;
import io.headrace.sources.stores.Unpacked;
import java.io.IOException;
import java.nio.file.Path;

/** Makes the scanner of a shard by its format. Thread-safe. */
public final class ShardScanners {

    private final Path spillFolder;
    private final long unpackedBytes;
    private final ParquetGuard parquet;

    /**
     * @param spillFolder holds decompressed shards while they are scanned, in files without a name
     * @param unpackedBytes a compressed shard of more is an error
     * @param parquet not closed here
     */
    public ShardScanners(Path spillFolder, long unpackedBytes, ParquetGuard parquet) {
        this.spillFolder = spillFolder;
        this.unpackedBytes = unpackedBytes;
        this.parquet = parquet;
    }

    /** The scanner of a shard. */
    public ShardScanner of(Path shard, FieldSelection fields) throws IOException {
        Format format = Format.of(shard);
        return switch (format) {
            case Format.Tar tar ->
                    bytes(
                            shard,
                            tar.compression(),
                            source -> new TarScanner(shard, source, fields));
            case Format.JsonLines lines ->
                    bytes(
                            shard,
                            lines.compression(),
                            source -> new JsonLinesScanner(shard, source, fields));
            case Format.JsonList list ->
                    bytes(
                            shard,
                            list.compression(),
                            source -> new JsonListScanner(shard, source, fields));
            case Format.Parquet _ -> new ParquetScanner(shard, fields, parquet);
            case Format.Folder _ -> new FolderScanner(shard, fields);
        };
    }

    /** Makes a scanner of the decompressed bytes. */
    private interface OfBytes {
        ShardScanner scanner(ByteSource source);
    }

    private ShardScanner bytes(Path shard, Compression compression, OfBytes of) {
        return sink ->
                compression == Compression.NONE
                        ? scanPlain(shard, of, sink)
                        : scanUnpacked(shard, compression, of, sink);
    }

    private static long scanPlain(Path shard, OfBytes of, SampleSink sink) throws IOException {
        try (LocalFile file = LocalFile.open(shard)) {
            return of.scanner(file).scan(sink);
        }
    }

    private long scanUnpacked(Path shard, Compression compression, OfBytes of, SampleSink sink)
            throws IOException {
        try (Unpacked unpacked = Unpacked.of(shard, compression, spillFolder, unpackedBytes)) {
            long bytes = unpacked.bytes().lengthBytes();
            if (bytes == 0 && !unpacked.damage().isEmpty()) {
                throw new BadShard(
                        shard, Reason.CORRUPT, "cannot be decompressed: " + unpacked.damage());
            }
            long scanned = of.scanner(unpacked.bytes()).scan(sink);
            if (!unpacked.damage().isEmpty()) {
                sink.skip(
                        new Skip(
                                Reason.TRUNCATED,
                                "(end of the compressed file)",
                                bytes,
                                unpacked.damage()));
            }
            return scanned;
        }
    }
}
