package io.headrace.runtime.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.index.SampleIndex;
import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.sources.read.PayloadBuffer;
import io.headrace.sources.read.ReadAccess;
import io.headrace.sources.read.ShardChanged;
import io.headrace.sources.read.SourceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrepareTest {

    @TempDir Path folder;

    private static final SourceSpec WEB =
            new SourceSpec("web", List.of("s-*.tar*"), List.of("bmp"), List.of(), List.of(), "txt");

    private PrepareSettings settings(ErrorSpec.Policy policy) {
        return new PrepareSettings(
                folder,
                folder.resolve("idx"),
                null,
                policy,
                new PrepareSettings.Limits(4, 1 << 20, Duration.ofSeconds(60)));
    }

    private SourceReport prepare(SourceSpec source) throws IOException, InterruptedException {
        return new Prepare(settings(ErrorSpec.Policy.MASK), PrepareProgress.SILENT)
                .run(List.of(source))
                .getFirst();
    }

    private SampleIndex index() throws IOException {
        return SampleIndex.open(folder.resolve("idx/web.safetensors"));
    }

    @Test
    void descriptorsOfAllShardsInOrder() throws IOException, InterruptedException {
        Pictures.tar(folder.resolve("s-10.tar"), 20, 10);
        Pictures.tar(folder.resolve("s-9.tar"), 10, 10);
        SourceReport report = prepare(WEB);
        assertThat(report.samples()).isEqualTo(20);
        assertThat(report.shardsScanned()).isEqualTo(2);
        try (SampleIndex index = index()) {
            assertThat(index.shard(0).path()).isEqualTo("s-9.tar");
            Descriptor sample = index.descriptor(new SampleRef(0, 13));
            assertThat(sample.key()).isEqualTo("000023");
            assertThat(sample.images().getFirst().width()).isEqualTo(24);
            assertThat(sample.parts().get(1))
                    .isInstanceOfSatisfying(
                            Part.Text.class,
                            text -> {
                                assertThat(text.tokens()).isEqualTo(3);
                                assertThat(text.exact()).isFalse();
                                assertThat(text.codec()).isEqualTo(Codec.TEXT);
                            });
        }
        try (Stream<Path> left = Files.list(folder.resolve("idx"))) {
            assertThat(left).containsExactly(folder.resolve("idx/web.safetensors"));
        }
    }

    @Test
    void wholeIndexIsUsedAgainAndOnlyChangedShardsAreScanned()
            throws IOException, InterruptedException {
        for (int i = 0; i < 4; i++) {
            Pictures.tar(folder.resolve("s-" + i + ".tar"), 10 * i, 10);
        }
        Files.writeString(folder.resolve("s-4.tar"), "no tar");
        SourceReport first = prepare(WEB);
        assertThat(first.skips().count(Reason.CORRUPT)).isZero();
        assertThat(first.skips().count(Reason.TRUNCATED)).isEqualTo(1);
        byte[] bytes = Files.readAllBytes(first.index());
        assertThat(prepare(WEB).shardsScanned()).isZero();
        assertThat(Files.readAllBytes(first.index())).isEqualTo(bytes);

        Pictures.tar(folder.resolve("s-2.tar"), 200, 5);
        Files.setLastModifiedTime(
                folder.resolve("s-1.tar"), FileTime.from(1_000_000_007, TimeUnit.NANOSECONDS));
        Files.delete(folder.resolve("s-0.tar"));
        SourceReport again = prepare(WEB);
        assertThat(again.shardsScanned()).isEqualTo(2);
        assertThat(again.samples()).isEqualTo(25);
        assertThat(again.skips()).isEqualTo(first.skips());
        try (SampleIndex index = index()) {
            assertThat(index.key(0)).isEqualTo("000010");
            assertThat(index.key(10)).isEqualTo("000200");
            assertThat(index.key(15)).isEqualTo("000030");
            assertThat(index.shard(0).modifiedNanos()).isEqualTo(1_000_000_007L);
        }
        SourceSpec other =
                new SourceSpec("web", WEB.paths(), List.of("bmp"), List.of(), List.of(), "");
        assertThat(prepare(other).shardsScanned()).isEqualTo(4);
    }

    @Test
    void emptyShardIsNamedOrStops() throws IOException, InterruptedException {
        Pictures.tar(folder.resolve("s-0.tar"), 0, 3);
        Files.createFile(folder.resolve("s-1.tar"));
        SourceReport report = prepare(WEB);
        assertThat(report.samples()).isEqualTo(3);
        assertThat(report.skips().entries().getFirst().names().getFirst())
                .isEqualTo("s-1.tar: (shard): empty file");
        Files.delete(report.index());
        Prepare strict = new Prepare(settings(ErrorSpec.Policy.STOP), PrepareProgress.SILENT);
        assertThatThrownBy(() -> strict.run(List.of(WEB)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("s-1.tar: empty file");
    }

    @Test
    void sourceOfUnreadableShardsAloneIsAnError() throws IOException {
        Files.createFile(folder.resolve("s-1.tar"));
        assertThatThrownBy(() -> prepare(WEB))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no readable shard")
                .hasMessageContaining("empty file");
    }

    @Test
    void skipsAreCountedByReasonAndPrinted() throws IOException, InterruptedException {
        Path tar = Pictures.tar(folder.resolve("s-0.tar"), 0, 3);
        byte[] bytes = Files.readAllBytes(tar);
        bytes[512] = 'X';
        Files.write(tar, bytes);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        AtomicLong clock = new AtomicLong();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        new Prepare(
                        settings(ErrorSpec.Policy.MASK),
                        new ProgressLine(out, false, clock::incrementAndGet))
                .run(List.of(WEB));
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("web: 1 shard")
                .contains("2 samples in 1 shards, 1 scanned")
                .contains("left out 1: UNSUPPORTED")
                .contains("s-0.tar: 000000.bmp at 0: No known picture starts with");
    }

    @Test
    void payloadsOfPlainAndCompressedShardsAreRead()
            throws IOException, InterruptedException, BadPayload {
        Pictures.tar(folder.resolve("s-0.tar"), 0, 5);
        Path plain = Pictures.tar(folder.resolve("plain"), 5, 5);
        try (OutputStream gz =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("s-1.tar.gz")))) {
            Files.copy(plain, gz);
        }
        prepare(WEB);
        AtomicLong clock = new AtomicLong();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        try (SampleIndex index = index();
                ReadAccess access =
                        new ReadAccess(ReadAccess.Limits.DEFAULT, folder, executor, clock::get)) {
            SourceReader reader = new SourceReader(folder, index, access);
            PayloadBuffer buffer = new PayloadBuffer(1 << 20);
            for (int i = 0; i < 10; i++) {
                List<Part> parts = index.descriptor(new SampleRef(0, i)).parts();
                assertThat(read(reader, parts.get(0).location(), buffer))
                        .isEqualTo(Pictures.bmp(i + 1, 2));
                assertThat(read(reader, parts.get(1).location(), buffer))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("caption %04d".formatted(i));
            }
            assertThat(index.shard(1).unpackedBytes()).isEqualTo(Files.size(plain));

            Location first = index.descriptor(new SampleRef(0, 0)).parts().getFirst().location();
            Pictures.tar(folder.resolve("s-0.tar"), 0, 6);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
            assertThatThrownBy(() -> reader.read(first, buffer))
                    .isInstanceOf(ShardChanged.class)
                    .hasMessageContaining("s-0.tar");
        } finally {
            executor.shutdownNow();
        }
    }

    private static byte[] read(SourceReader reader, Location location, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException {
        return reader.read(location, buffer).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void cacheSmallerThanAShardIsRefusedAtOnceWithBothNumbers()
            throws IOException, InterruptedException {
        Path plain = Pictures.tar(folder.resolve("plain"), 0, 5);
        try (OutputStream gz =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("s-1.tgz")))) {
            Files.copy(plain, gz);
        }
        SourceSpec source =
                new SourceSpec(
                        "web", List.of("*.tgz"), List.of("bmp"), List.of(), List.of(), "txt");
        prepare(source);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        ReadAccess.Limits limits = new ReadAccess.Limits(4, 1000, 1, Duration.ofSeconds(9));
        try (SampleIndex index = index();
                ReadAccess access = new ReadAccess(limits, folder, executor, System::nanoTime)) {
            SourceReader reader = new SourceReader(folder, index, access);
            Location first = index.descriptor(new SampleRef(0, 0)).parts().getFirst().location();
            assertThatThrownBy(() -> reader.read(first, new PayloadBuffer(1 << 20)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("1000")
                    .hasMessageContaining(Long.toString(Files.size(plain)));
        } finally {
            executor.shutdownNow();
        }
    }
}
