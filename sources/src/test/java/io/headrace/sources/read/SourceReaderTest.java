package io.headrace.sources.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.index.IndexMetadata;
import io.headrace.engine.index.IndexWriter;
import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.index.ShardEntry;
import io.headrace.engine.index.SkipSummary;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.Format;
import io.headrace.sources.formats.RecordingSink;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.TarBytes;
import io.headrace.sources.formats.parquet.ParquetGuard;
import io.headrace.sources.stores.FileStamp;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every payload that a scan looks at is read again by its location, whatever the format. */
class SourceReaderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private RecordingSink scan(Path shard, FieldSelection fields, Path index) throws IOException {
        RecordingSink sink = new RecordingSink();
        FileStamp stamp = Format.stamp(shard);
        try (ParquetGuard guard = new ParquetGuard(executor, 1, PATIENCE);
                IndexWriter writer = new IndexWriter(folder)) {
            long unpacked = new ShardScanners(folder, 1 << 24, guard).of(shard, fields).scan(sink);
            for (RecordingSink.Sample sample : sink.samples()) {
                writer.add(sample.key(), sample.parts());
            }
            writer.setOnlyShard(
                    new ShardEntry(
                            shard.getFileName().toString(),
                            stamp.sizeBytes(),
                            stamp.modifiedNanos(),
                            unpacked));
            writer.finish(index, IndexMetadata.ofShard("s", "", SkipSummary.NONE));
        }
        return sink;
    }

    /** Reads all parts in a seeded order from several threads; answers them in the order of the index. */
    private List<String> readAll(Path indexFile, long unpackedBytes)
            throws IOException, InterruptedException, ExecutionException {
        ReadAccess.Limits limits = new ReadAccess.Limits(4, unpackedBytes, 1, PATIENCE);
        try (SampleIndex index = SampleIndex.open(indexFile);
                ReadAccess access = new ReadAccess(limits, folder, executor, System::nanoTime)) {
            SourceReader reader = new SourceReader(folder, index, access);
            List<Part> parts = new ArrayList<>();
            for (long i = 0; i < index.size(); i++) {
                parts.addAll(index.descriptor(new SampleRef(0, i)).parts());
            }
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                order.add(i);
            }
            Collections.shuffle(order, new Random(5));
            String[] found = new String[parts.size()];
            List<Future<?>> tasks = new ArrayList<>();
            for (int worker = 0; worker < 4; worker++) {
                int first = worker;
                tasks.add(
                        executor.submit(
                                () -> {
                                    PayloadBuffer buffer = new PayloadBuffer(1 << 20);
                                    for (int i = first; i < order.size(); i += 4) {
                                        int part = order.get(i);
                                        found[part] = read(reader, parts.get(part), buffer);
                                    }
                                    return true;
                                }));
            }
            for (Future<?> task : tasks) {
                task.get();
            }
            return Arrays.asList(found);
        }
    }

    private static String read(SourceReader reader, Part part, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException {
        byte[] bytes = reader.read(part.location(), buffer).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void duck(String sql) throws SQLException {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void parquetWithPicturesAsStructs() throws Exception {
        Path shard = folder.resolve("a.parquet");
        duck(
                "copy (select {'bytes': ('picture ' || i)::blob, 'path': i || '.jpg'} as image,"
                        + " case when i % 7 = 3 then null else 'caption ' || i end as caption, i as n"
                        + " from range(6000) t(i)) to '%s' (row_group_size 2048, codec 'snappy')"
                                .formatted(shard));
        Path index = folder.resolve("i");
        RecordingSink sink =
                scan(shard, FieldSelection.ofImages(List.of("image"), "caption"), index);
        assertThat(sink.samples()).hasSize(6000 - 857);
        assertThat(sink.skips()).hasSize(857).extracting(Skip::name).startsWith("row 3", "row 10");
        assertThat(sink.samples().getFirst().fields()).containsExactly("image.bytes", "caption");
        List<String> wanted =
                sink.samples().stream()
                        .flatMap(s -> Stream.of("picture " + s.key(), "caption " + s.key()))
                        .toList();
        assertThat(readAll(index, 1 << 24)).isEqualTo(wanted);
        assertThat(readAll(index, 140_000)).isEqualTo(wanted);
    }

    @Test
    void parquetWithListsOfPicturesAndNestedConversations() throws Exception {
        Path shard = folder.resolve("a.parquet");
        duck(
                "copy (select [{'bytes': ('a' || i)::blob, 'path': ''}, {'bytes': ('bb' || i)::blob, 'path': ''}] as images,"
                        + " [{'from': 'human', 'value': 'say ' || i}] as conversations"
                        + " from range(50) t(i)) to '%s' (codec 'zstd')".formatted(shard));
        Path index = folder.resolve("i");
        RecordingSink sink =
                scan(shard, FieldSelection.ofImages(List.of(), "conversations"), index);
        assertThat(sink.samples().get(7).fields())
                .containsExactly("images[0].bytes", "images[1].bytes", "#conversations");
        List<String> read = readAll(index, 1 << 24);
        assertThat(read.subList(21, 24))
                .containsExactly(
                        "a7",
                        "bb7",
                        "{\"conversations\":[{\"from\":\"human\",\"value\":\"say 7\"}]}");
        assertThat(read).isEqualTo(sink.payloads());
    }

    @Test
    void parquetWithoutTheColumnIsAnErrorThatNamesThoseThere() throws Exception {
        Path shard = folder.resolve("a.parquet");
        duck("copy (select 1 as n, 'x' as word) to '%s'".formatted(shard));
        assertThatThrownBy(
                        () ->
                                scan(
                                        shard,
                                        FieldSelection.ofImages(List.of("image"), ""),
                                        folder.resolve("i")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.parquet")
                .hasMessageContaining("n, word");
    }

    @Test
    void zstdTarAndCutGzipTar() throws Exception {
        FieldSelection fields = FieldSelection.ofImages(List.of("jpg"), "txt");
        Path index = folder.resolve("i");
        Path zstd =
                new TarBytes()
                        .files("0.jpg", "0.txt", "1.jpg", "1.txt")
                        .writeZstd(folder.resolve("a.tar.zst"));
        RecordingSink sink = scan(zstd, fields, index);
        assertThat(readAll(index, 1 << 20)).isEqualTo(sink.payloads()).hasSize(4);

        TarBytes tar = new TarBytes();
        byte[] noise = new byte[3000];
        Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            random.nextBytes(noise);
            tar.file(i + ".jpg", noise).files(i + ".txt");
        }
        Path gzip = tar.writeGzip(folder.resolve("b.tgz"));
        byte[] bytes = Files.readAllBytes(gzip);
        Files.write(gzip, Arrays.copyOf(bytes, bytes.length / 2));
        RecordingSink cut = scan(gzip, fields, index);
        assertThat(cut.samples()).hasSizeBetween(40, 60);
        assertThat(cut.skips())
                .isNotEmpty()
                .allSatisfy(skip -> assertThat(skip.reason()).isEqualTo(Reason.TRUNCATED));
        assertThat(readAll(index, 1 << 20)).hasSize(2 * cut.samples().size());

        Files.write(gzip, Arrays.copyOf(bytes, 5));
        assertThatThrownBy(() -> scan(gzip, fields, index)).isInstanceOf(IOException.class);
    }

    @Test
    void folderAndListPayloads() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("a.jpg"), "picture");
        Files.writeString(data.resolve("a.txt"), "caption");
        Path index = folder.resolve("i");
        scan(data, FieldSelection.ofImages(List.of("jpg"), "txt"), index);
        assertThat(readAll(index, 1)).containsExactly("picture", "caption");

        Path list = folder.resolve("list.jsonl");
        Files.writeString(list, "{\"image\":\"data/a.jpg\",\"text\":\"x\"}\n");
        scan(list, FieldSelection.ofImages(List.of("image"), "text"), index);
        assertThat(readAll(index, 1))
                .containsExactly("picture", "{\"image\":\"data/a.jpg\",\"text\":\"x\"}");

        Files.writeString(data.resolve("a.jpg"), "longer picture");
        assertThatThrownBy(() -> readAll(index, 1))
                .hasCauseInstanceOf(BadPayload.class)
                .hasMessageContaining("it had 7");
        Files.delete(data.resolve("a.jpg"));
        assertThatThrownBy(() -> readAll(index, 1)).hasMessageContaining("no file");
    }

    @Test
    void realShards() throws Exception {
        Path shard = folder.resolve("sample.tgz");
        Files.copy(
                Path.of(
                        Objects.requireNonNull(
                                        getClass()
                                                .getResource(
                                                        "/io/headrace/sources/webdataset/sample.tgz"))
                                .toURI()),
                shard);
        Path index = folder.resolve("i");
        RecordingSink sink = scan(shard, FieldSelection.ofImages(List.of("png"), "cls"), index);
        assertThat(sink.samples())
                .extracting(s -> s.key(), s -> s.parts().size())
                .contains(tuple("10", 2));
        assertThat(sink.skips()).isEmpty();
        assertThat(readAll(index, 1 << 24)).hasSize(2 * sink.samples().size());
    }
}
