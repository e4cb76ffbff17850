package io.headrace.sources.read;

import io.headrace.sources.formats.parquet.ParquetGuard;
import io.headrace.sources.formats.parquet.UnpackedColumn;
import io.headrace.sources.stores.OpenFiles;
import io.headrace.sources.stores.Unpacked;
import io.headrace.sources.stores.UnpackedCache;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;

/**
 * What all readers of a process share: open files, decompressed bytes, and the threads that read Parquet, each with its limit.
 * Thread-safe.
 */
public final class ReadAccess implements AutoCloseable {

    private final Limits limits;
    private final Path spillFolder;
    private final LongSupplier nanoClock;
    private final ParquetGuard parquet;
    private final OpenFiles files;
    private final UnpackedCache<UnpackedKey, UnpackedBytes> unpacked;

    /**
     * @param spillFolder holds decompressed bytes, in files without a name
     * @param executor runs guarded reads; not closed here
     */
    public ReadAccess(
            Limits limits, Path spillFolder, ExecutorService executor, LongSupplier nanoClock) {
        this.limits = limits;
        this.spillFolder = spillFolder;
        this.nanoClock = nanoClock;
        this.parquet = new ParquetGuard(executor, limits.parquetThreads, limits.patience);
        this.files = new OpenFiles(limits.openFiles);
        this.unpacked = new UnpackedCache<>(limits.unpackedBytes);
    }

    /**
     * Bounds of what readers hold.
     *
     * @param openFiles files held open while nobody reads them
     * @param unpackedBytes decompressed bytes on disk: of compressed tars and lists, and of Parquet row groups
     * @param parquetThreads threads that decompress Parquet pages
     * @param patience a Parquet read without progress for so long is given up
     */
    public record Limits(int openFiles, long unpackedBytes, int parquetThreads, Duration patience) {
        public static final Limits DEFAULT = new Limits(256, 16L << 30, 2, Duration.ofSeconds(60));
    }

    /** Names decompressed bytes: a whole file has row group -1 and no column. */
    record UnpackedKey(Path shard, int rowGroup, String column) {}

    /** Decompressed bytes. */
    sealed interface UnpackedBytes extends Closeable {
        record Whole(Unpacked file) implements UnpackedBytes {
            @Override
            public void close() throws IOException {
                file.close();
            }
        }

        record OfColumn(UnpackedColumn column) implements UnpackedBytes {
            @Override
            public void close() throws IOException {
                column.close();
            }
        }
    }

    Limits limits() {
        return limits;
    }

    Path spillFolder() {
        return spillFolder;
    }

    long nowNanos() {
        return nanoClock.getAsLong();
    }

    ParquetGuard parquet() {
        return parquet;
    }

    OpenFiles files() {
        return files;
    }

    UnpackedCache<UnpackedKey, UnpackedBytes> unpacked() {
        return unpacked;
    }

    @Override
    public void close() throws IOException {
        parquet.close();
        files.close();
        unpacked.close();
    }
}
