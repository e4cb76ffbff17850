package io.headrace.runtime.prepare;

import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.sources.formats.parquet.ParquetGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Writes the indexes of sources. Only headers of payloads are read, and nothing but indexes is written. A run that ended early is gone
 * on with, a whole index of unchanged shards is used as it is, and of changed shards only those are scanned again.
 *
 * <p>Threads: one virtual thread a shard, a bounded number at a time; they end before {@link #run} does.
 */
public final class Prepare {

    private static final int PARQUET_DECODE_THREADS = 2;

    private final PrepareSettings settings;
    private final PrepareProgress progress;

    public Prepare(PrepareSettings settings, PrepareProgress progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Prepares sources, one after the other.
     *
     * @return what became of each, in order
     * @throws IOException if a source has no readable shard, or one is unreadable and the policy is to stop
     */
    public List<SourceReport> run(List<SourceSpec> sources)
            throws IOException, InterruptedException {
        ProcessSpec process = settings.process();
        List<SourceReport> reports = new ArrayList<>();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        try (TokenCounter tokens = TokenCounter.of(process);
                ParquetGuard parquet =
                        new ParquetGuard(
                                executor,
                                PARQUET_DECODE_THREADS,
                                settings.limits().parquetPatience())) {
            for (SourceSpec source : sources) {
                SourcePreparation preparation =
                        new SourcePreparation(
                                source, settings, tokens, parquet, executor, progress);
                reports.add(preparation.run());
            }
        } finally {
            // a read that was given up may still hold one of its threads, which ends by itself
            executor.shutdownNow();
        }
        return reports;
    }
}
