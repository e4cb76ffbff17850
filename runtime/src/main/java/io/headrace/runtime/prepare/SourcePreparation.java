package io.headrace.runtime.prepare;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.index.IndexMetadata;
import io.headrace.engine.index.IndexWriter;
import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.index.SkipSummary;
import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.Format;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.parquet.ParquetGuard;
import io.headrace.sources.read.ShardScanners;
import io.headrace.sources.stores.FileStamp;
import io.headrace.sources.stores.PathPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Prepares one source. Used once, by one thread, which waits for those that it starts. */
final class SourcePreparation {

    private final SourceSpec source;
    private final PrepareSettings settings;
    private final TokenCounter tokens;
    private final ParquetGuard parquet;
    private final ExecutorService executor;
    private final PrepareProgress progress;
    private final String fingerprint;
    private final Path index;

    SourcePreparation(
            SourceSpec source,
            PrepareSettings settings,
            TokenCounter tokens,
            ParquetGuard parquet,
            ExecutorService executor,
            PrepareProgress progress) {
        this.source = source;
        this.settings = settings;
        this.tokens = tokens;
        this.parquet = parquet;
        this.executor = executor;
        this.progress = progress;
        this.fingerprint =
                "images=%s videos=%s audios=%s kinds=%s text=%s tokens=%s max_pixels=%d"
                        .formatted(
                                String.join(",", source.images()),
                                String.join(",", source.videos()),
                                String.join(",", source.audios()),
                                kinds(),
                                source.text(),
                                tokens.fingerprint(),
                                maxPixels());
        this.index = settings.indexFile(source.name()).toAbsolutePath();
    }

    /** Kinds that are looked for by name: those of the model, or pictures without one. */
    private List<MediaKind> kinds() {
        ProcessSpec process = settings.process();
        return process == null ? List.of(MediaKind.IMAGE) : process.model().kinds();
    }

    private long maxPixels() {
        ProcessSpec process = settings.process();
        return process == null ? Long.MAX_VALUE : process.maxImagePixels();
    }

    SourceReport run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<ShardWork> shards = shards();
        Files.createDirectories(index.resolveSibling("."));
        try (SampleIndexOrNone old = SampleIndexOrNone.open(index, fingerprint)) {
            if (old.holdsExactly(shards)) {
                progress.begin(source.name(), shards.size(), shards.size(), 0);
                return report(0, 0, start);
            }
            try (WorkFolder work = WorkFolder.open(index)) {
                return prepare(shards, old, work, start);
            }
        }
    }

    private SourceReport prepare(
            List<ShardWork> shards, SampleIndexOrNone old, WorkFolder work, long start)
            throws IOException, InterruptedException {
        List<ShardWork> missing = new ArrayList<>();
        for (ShardWork shard : shards) {
            if (old.number(shard) < 0 && !Files.exists(work.partial(shard, fingerprint))) {
                missing.add(shard);
            }
        }
        long bytes = missing.stream().mapToLong(ShardWork::sizeBytes).sum();
        progress.begin(source.name(), shards.size(), shards.size() - missing.size(), bytes);
        scan(missing, work);
        merge(shards, old, work);
        work.remove();
        return report(missing.size(), bytes, start);
    }

    private List<ShardWork> shards() throws IOException {
        List<ShardWork> shards = new ArrayList<>();
        Path folder = settings.folder().normalize();
        for (Path path : PathPattern.expandAll(folder, source.paths())) {
            Format.of(path);
            FileStamp stamp = Format.stamp(path);
            boolean below = path.startsWith(folder) && !folder.toString().isEmpty();
            String name = (below ? folder.relativize(path) : path).toString();
            shards.add(
                    new ShardWork(
                            shards.size(),
                            name.isEmpty() ? "." : name,
                            path,
                            stamp.sizeBytes(),
                            stamp.modifiedNanos()));
        }
        return shards;
    }

    private void scan(List<ShardWork> missing, WorkFolder work)
            throws IOException, InterruptedException {
        ShardScanners scanners =
                new ShardScanners(work.path(), settings.limits().unpackedBytes(), parquet);
        Semaphore slots = new Semaphore(settings.limits().shards());
        ExecutorCompletionService<ShardWork> done = new ExecutorCompletionService<>(executor);
        List<Future<ShardWork>> tasks = new ArrayList<>();
        try {
            for (ShardWork shard : missing) {
                tasks.add(
                        done.submit(
                                () -> {
                                    slots.acquire();
                                    try {
                                        scan(shard, scanners, work);
                                    } finally {
                                        slots.release();
                                    }
                                    return shard;
                                }));
            }
            for (int i = 0; i < tasks.size(); i++) {
                done.take().get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException("Prepare of source %s failed".formatted(source.name()), e);
        } finally {
            tasks.forEach(task -> task.cancel(true));
        }
    }

    private void scan(ShardWork shard, ShardScanners scanners, WorkFolder work) throws IOException {
        FieldSelection fields = FieldSelection.of(source, kinds());
        BadShard failure = null;
        try (IndexWriter writer = new IndexWriter(work.path())) {
            ShardRecorder recorder =
                    new ShardRecorder(shard.name(), writer, tokens, maxPixels(), progress);
            long unpacked = shard.sizeBytes();
            try {
                unpacked = scanners.of(shard.path(), fields).scan(recorder);
            } catch (BadShard e) {
                failure = e;
            }
            if (failure == null) {
                finish(shard, writer, recorder, unpacked, work);
                return;
            }
        }
        if (settings.policy() == ErrorSpec.Policy.STOP) {
            throw failure;
        }
        writeFailed(shard, failure, work);
    }

    private void finish(
            ShardWork shard,
            IndexWriter writer,
            ShardRecorder recorder,
            long unpacked,
            WorkFolder work)
            throws IOException {
        FileStamp stamp = Format.stamp(shard.path());
        if (stamp.sizeBytes() != shard.sizeBytes()
                || stamp.modifiedNanos() != shard.modifiedNanos()) {
            throw new IOException(
                    "Shard %s changed while it was scanned; prepare again when it is written"
                            .formatted(shard.path()));
        }
        writePartial(shard, writer, unpacked, recorder.skips(), work);
        recorder.finishProgress(shard.sizeBytes());
    }

    /** What the whole shard is left out for; its samples before the damage are not kept, since they may be wrong as well. */
    private void writeFailed(ShardWork shard, BadShard failure, WorkFolder work)
            throws IOException {
        try (IndexWriter writer = new IndexWriter(work.path())) {
            ShardRecorder recorder =
                    new ShardRecorder(shard.name(), writer, tokens, maxPixels(), progress);
            recorder.skip(new Skip(failure.reason(), "(shard)", -1, failure.detail()));
            writePartial(shard, writer, shard.sizeBytes(), recorder.skips(), work);
            recorder.finishProgress(shard.sizeBytes());
        }
    }

    private void writePartial(
            ShardWork shard, IndexWriter writer, long unpacked, SkipSummary skips, WorkFolder work)
            throws IOException {
        writer.setOnlyShard(shard.entry(unpacked));
        writer.finishQuickly(
                work.partial(shard, fingerprint),
                IndexMetadata.ofShard(source.name(), fingerprint, skips));
    }

    private void merge(List<ShardWork> shards, SampleIndexOrNone old, WorkFolder work)
            throws IOException {
        SortedMap<Integer, SkipSummary> skips = new TreeMap<>();
        try (IndexWriter writer = new IndexWriter(work.path())) {
            for (ShardWork shard : shards) {
                int number = old.number(shard);
                SkipSummary skipped =
                        number >= 0
                                ? copy(old.index(), number, writer)
                                : copyPartial(shard, work, writer);
                if (skipped.total() > 0) {
                    skips.put(shard.number(), skipped);
                }
            }
            if (writer.samples() == 0 && !skips.isEmpty() && unreadable(skips, shards.size())) {
                SkipSummary.Entry first = skips.sequencedValues().getFirst().entries().getFirst();
                throw new IOException(
                        "Source %s has no readable shard: %s"
                                .formatted(source.name(), first.names().getFirst()));
            }
            writer.finish(index, new IndexMetadata(source.name(), fingerprint, skips));
        }
    }

    private static boolean unreadable(SortedMap<Integer, SkipSummary> skips, int shards) {
        return skips.size() == shards
                && skips.values().stream()
                        .flatMap(summary -> summary.entries().stream())
                        .allMatch(entry -> entry.names().getFirst().contains(": (shard)"));
    }

    private static SkipSummary copy(SampleIndex from, int number, IndexWriter writer)
            throws IOException {
        writer.beginShard(from.shard(number));
        writer.append(from, number);
        return from.metadata().skips(number);
    }

    private SkipSummary copyPartial(ShardWork shard, WorkFolder work, IndexWriter writer)
            throws IOException {
        try (SampleIndex partial = SampleIndex.open(work.partial(shard, fingerprint))) {
            return copy(partial, 0, writer);
        }
    }

    private SourceReport report(int scanned, long bytes, long start) throws IOException {
        try (SampleIndex whole = SampleIndex.open(index)) {
            SourceReport report =
                    new SourceReport(
                            source.name(),
                            index,
                            whole.size(),
                            whole.shards(),
                            scanned,
                            bytes,
                            whole.metadata().allSkips(),
                            System.nanoTime() - start);
            progress.end(report);
            return report;
        }
    }
}
