package io.headrace.sources.read;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.index.ShardEntry;
import io.headrace.sources.formats.Format;
import io.headrace.sources.formats.parquet.ParquetLayout;
import io.headrace.sources.formats.parquet.UnpackedColumn;
import io.headrace.sources.read.ReadAccess.UnpackedBytes;
import io.headrace.sources.read.ReadAccess.UnpackedKey;
import io.headrace.sources.stores.Compression;
import io.headrace.sources.stores.FileStamp;
import io.headrace.sources.stores.Unpacked;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the payloads of one source by the locations of its index. Plain shards are read in place; compressed ones are decompressed once
 * into the shared cache, Parquet by row group and column. Each shard is compared with the index when it is first read and every few
 * seconds after. Thread-safe. Holds the index, which it does not close.
 */
public final class SourceReader implements PayloadReader {

    private static final long RECHECK_NANOS = 5_000_000_000L;

    private final Path folder;
    private final SampleIndex index;
    private final ReadAccess access;
    private final Map<Integer, Shard> shards = new ConcurrentHashMap<>();

    /**
     * @param folder where relative paths of shards start
     */
    public SourceReader(Path folder, SampleIndex index, ReadAccess access) {
        this.folder = folder;
        this.index = index;
        this.access = access;
    }

    /** A shard that was found to be the one of the index; {@code layout} only of Parquet. */
    private record Shard(
            Path path,
            Path mediaFolder,
            ShardEntry entry,
            Compression compression,
            @Nullable ParquetLayout layout,
            long checkedNanos) {}

    @Override
    public MemorySegment read(Location location, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException {
        Shard shard = shard(location.shard());
        return switch (location) {
            case Location.Range range -> range(shard, range, buffer);
            case Location.File file -> file(shard, file, buffer);
            case Location.Cell cell -> cell(shard, cell, buffer);
        };
    }

    private MemorySegment range(Shard shard, Location.Range range, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException {
        MemorySegment into = buffer.of(range.lengthBytes());
        if (shard.compression == Compression.NONE) {
            int read = access.files().read(shard.path, range.offsetBytes(), into);
            if (read < into.byteSize()) {
                throw new ShardChanged(
                        shard.path,
                        "it ends within the %d bytes at %d"
                                .formatted(range.lengthBytes(), range.offsetBytes()));
            }
            return into;
        }
        return access.unpacked()
                .use(
                        new UnpackedKey(shard.path, -1, ""),
                        "Shard " + shard.path,
                        shard.entry::unpackedBytes,
                        () ->
                                new UnpackedBytes.Whole(
                                        Unpacked.of(
                                                shard.path,
                                                shard.compression,
                                                access.spillFolder(),
                                                shard.entry.unpackedBytes())),
                        bytes -> readWhole(bytes, range, into));
    }

    private static MemorySegment readWhole(
            UnpackedBytes bytes, Location.Range range, MemorySegment into) throws IOException {
        switch (bytes) {
            case UnpackedBytes.Whole whole ->
                    whole.file().bytes().readFully(range.offsetBytes(), into);
            case UnpackedBytes.OfColumn _ ->
                    throw new IllegalStateException("A column under the key of a file");
        }
        return into;
    }

    private MemorySegment file(Shard shard, Location.File file, PayloadBuffer buffer)
            throws IOException, BadPayload {
        Path path = shard.mediaFolder.resolve(file.path());
        MemorySegment into = buffer.of(file.lengthBytes());
        try {
            long bytes = access.files().lengthBytes(path);
            if (bytes != file.lengthBytes()
                    || access.files().read(path, 0, into) < into.byteSize()) {
                throw new BadPayload(
                        Reason.CHANGED,
                        "file %s has %d bytes, it had %d when it was indexed"
                                .formatted(path, bytes, file.lengthBytes()));
            }
            return into;
        } catch (NoSuchFileException e) {
            throw new BadPayload(Reason.MISSING_FILE, "no file " + path);
        }
    }

    private MemorySegment cell(Shard shard, Location.Cell cell, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException {
        ParquetLayout layout = shard.layout;
        if (layout == null) {
            throw new ShardChanged(shard.path, "it was Parquet");
        }
        String field = index.fields().get(cell.column());
        int group = layout.rowGroup(shard.path, cell.row());
        int row = (int) (cell.row() - layout.firstRow(group));
        UnpackedKey key = new UnpackedKey(shard.path, group, UnpackedColumn.columnOf(field));
        MemorySegment into = buffer.of(cell.lengthBytes());
        return access.unpacked()
                .use(
                        key,
                        "Row group %d of %s, column %s".formatted(group, shard.path, field),
                        () ->
                                ParquetLayout.unpackedBytes(
                                        shard.path, access.parquet(), group, field),
                        () ->
                                new UnpackedBytes.OfColumn(
                                        UnpackedColumn.of(
                                                shard.path,
                                                access.parquet(),
                                                layout,
                                                group,
                                                field,
                                                access.spillFolder(),
                                                access.limits().unpackedBytes())),
                        bytes -> readCell(shard, bytes, row, field, into));
    }

    private static MemorySegment readCell(
            Shard shard, UnpackedBytes bytes, int row, String field, MemorySegment into)
            throws IOException {
        switch (bytes) {
            case UnpackedBytes.OfColumn(UnpackedColumn column) -> {
                if (column.lengthBytes(row, field) != into.byteSize()) {
                    throw new ShardChanged(
                            shard.path,
                            "a value of %d bytes had %d"
                                    .formatted(column.lengthBytes(row, field), into.byteSize()));
                }
                column.read(row, field, into);
            }
            case UnpackedBytes.Whole _ ->
                    throw new IllegalStateException("A file under the key of a column");
        }
        return into;
    }

    private Shard shard(int number) throws IOException {
        Shard known = shards.get(number);
        long now = access.nowNanos();
        if (known != null && now - known.checkedNanos < RECHECK_NANOS) {
            return known;
        }
        Shard checked = known == null ? open(number, now) : recheck(known, now);
        shards.put(number, checked);
        return checked;
    }

    private Shard open(int number, long now) throws IOException {
        ShardEntry entry = index.shard(number);
        Path path = folder.resolve(entry.path());
        if (!Files.exists(path)) {
            throw new ShardChanged(path, "it is gone");
        }
        boolean isFolder = Files.isDirectory(path);
        Path parent = path.toAbsolutePath().getParent();
        check(path, entry);
        Format format = Format.of(path);
        ParquetLayout layout =
                format instanceof Format.Parquet
                        ? ParquetLayout.read(path, access.parquet())
                        : null;
        return new Shard(
                path,
                isFolder || parent == null ? path : parent,
                entry,
                format.wholeCompression(),
                layout,
                now);
    }

    private Shard recheck(Shard known, long now) throws IOException {
        check(known.path, known.entry);
        return new Shard(
                known.path, known.mediaFolder, known.entry, known.compression, known.layout, now);
    }

    /** Of a folder only the files are compared, each when it is read. */
    private static void check(Path path, ShardEntry entry) throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        FileStamp stamp;
        try {
            stamp = FileStamp.of(path);
        } catch (NoSuchFileException e) {
            throw new ShardChanged(path, "it is gone");
        }
        if (!entry.sameFile(stamp.sizeBytes(), stamp.modifiedNanos())) {
            throw new ShardChanged(
                    path,
                    "%d bytes at time %d, indexed were %d at %d"
                            .formatted(
                                    stamp.sizeBytes(),
                                    stamp.modifiedNanos(),
                                    entry.sizeBytes(),
                                    entry.modifiedNanos()));
        }
    }
}
