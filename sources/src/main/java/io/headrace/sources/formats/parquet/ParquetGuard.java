package io.headrace.sources.formats.parquet;

import dev.hardwood.HardwoodContext;
import dev.hardwood.reader.ParquetFileReader;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads Parquet files in bounded time: every read runs on the given executor, and one that shows no progress for the given time is
 * given up with an error that names the file. Whatever the library throws over a bad file becomes such an error. Thread-safe. Owns the
 * library's threads until it is closed.
 */
public final class ParquetGuard implements AutoCloseable {

    private final ExecutorService executor;
    private final Duration patience;
    private final HardwoodContext context;

    /**
     * @param executor runs the reads; not closed here
     * @param decodeThreads threads that decompress pages
     * @param patience a read without progress for so long is given up
     */
    public ParquetGuard(ExecutorService executor, int decodeThreads, Duration patience) {
        this.executor = executor;
        this.patience = patience;
        this.context = HardwoodContext.create(decodeThreads);
    }

    /** A read of an open file; it ticks {@code progress} as it goes on. */
    interface Read<T> {
        T of(ParquetFileReader file, AtomicLong progress) throws IOException;
    }

    /** Opens a file, reads, and closes it. */
    <T> T read(Path path, Read<T> read) throws IOException {
        if (Files.size(path) == 0) {
            throw new BadShard(path, Reason.EMPTY, "empty file");
        }
        AtomicLong progress = new AtomicLong();
        GuardedInput input = new GuardedInput(path);
        Future<T> future =
                executor.submit(
                        () -> {
                            try (ParquetFileReader file = ParquetFileReader.open(input, context)) {
                                return read.of(file, progress);
                            }
                        });
        try {
            return await(path, future, progress);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Shard %s: interrupted while it was read".formatted(path), e);
        } catch (ExecutionException e) {
            throw asShardError(path, e.getCause() == null ? e : e.getCause());
        } finally {
            input.abandon();
            future.cancel(true);
        }
    }

    private <T> T await(Path path, Future<T> future, AtomicLong progress)
            throws IOException, InterruptedException, ExecutionException {
        long seen = -1;
        while (seen != progress.get()) {
            seen = progress.get();
            try {
                return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // looks again whether the read has gone on since
            }
        }
        throw new BadShard(
                path,
                Reason.TIMED_OUT,
                "no progress in %d ms after %d rows".formatted(patience.toMillis(), seen));
    }

    private static IOException asShardError(Path path, Throwable cause) {
        if (cause instanceof BadShard bad) {
            return bad;
        }
        if (cause instanceof SinkFailure failure) {
            return failure.cause();
        }
        if (cause instanceof OutOfMemoryError memory) {
            throw memory;
        }
        return new BadShard(
                path, Reason.CORRUPT, "cannot be read as Parquet: " + describe(cause), cause);
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /** Carries an error of the one who takes the samples through the library. */
    static final class SinkFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final IOException cause;

        SinkFailure(IOException cause) {
            super(cause);
            this.cause = cause;
        }

        IOException cause() {
            return cause;
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
