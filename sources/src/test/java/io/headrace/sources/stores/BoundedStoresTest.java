package io.headrace.sources.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open files and decompressed bytes stay within their limits, under many threads as well. */
class BoundedStoresTest {

    @TempDir Path folder;

    private record Value(int number, AtomicInteger open) implements Closeable {
        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    @Test
    void filesAreHeldUpToTheLimit() throws IOException {
        try (OpenFiles files = new OpenFiles(3)) {
            for (int i = 0; i < 10; i++) {
                Path file = Files.write(folder.resolve("f" + i), new byte[] {(byte) i});
                byte[] read = new byte[2];
                assertThat(files.read(file, 0, MemorySegment.ofArray(read))).isEqualTo(1);
                assertThat(read[0]).isEqualTo((byte) i);
                assertThat(files.size()).isLessThanOrEqualTo(3);
            }
        }
    }

    @Test
    void interruptedReaderDoesNotDisturbOthers() throws IOException {
        Path file = Files.write(folder.resolve("f"), new byte[100]);
        try (OpenFiles files = new OpenFiles(3)) {
            byte[] read = new byte[100];
            assertThat(files.read(file, 0, MemorySegment.ofArray(read))).isEqualTo(100);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> files.read(file, 0, MemorySegment.ofArray(read)))
                    .isInstanceOf(IOException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(files.read(file, 0, MemorySegment.ofArray(read))).isEqualTo(100);
        }
    }

    @Test
    void whatIsLargerThanTheCacheIsRefusedAtOnceWithBothNumbers() throws IOException {
        try (UnpackedCache<String, Value> cache = new UnpackedCache<>(1_000_000)) {
            assertThatThrownBy(
                            () ->
                                    cache.use(
                                            "k",
                                            "Shard x.tar.gz",
                                            () -> 10_000_000L,
                                            () -> new Value(1, new AtomicInteger()),
                                            Value::number))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Shard x.tar.gz")
                    .hasMessageContaining("10000000")
                    .hasMessageContaining("1000000;");
        }
    }

    @Test
    void manyThreadsStayWithinTheLimitAndSeeTheirOwnBytes()
            throws IOException, InterruptedException, ExecutionException {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try (UnpackedCache<Integer, Value> cache = new UnpackedCache<>(30)) {
            List<Future<?>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int first = thread;
                tasks.add(
                        executor.submit(
                                () -> {
                                    for (int i = 0; i < 500; i++) {
                                        int key = (first * 31 + i * 7) % 11;
                                        int seen =
                                                cache.use(
                                                        key,
                                                        "k" + key,
                                                        () -> 10L,
                                                        () -> {
                                                            int now = open.incrementAndGet();
                                                            most.accumulateAndGet(now, Math::max);
                                                            return new Value(key, open);
                                                        },
                                                        Value::number);
                                        assertThat(seen).isEqualTo(key);
                                    }
                                    return true;
                                }));
            }
            for (Future<?> task : tasks) {
                task.get();
            }
            assertThat(cache.heldBytes()).isLessThanOrEqualTo(30);
        } finally {
            executor.shutdownNow();
        }
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(open.get()).isZero();
    }

    @Test
    void failedMakerLeavesNothingBehind() throws IOException, InterruptedException {
        try (UnpackedCache<String, Value> cache = new UnpackedCache<>(10)) {
            assertThatThrownBy(
                            () ->
                                    cache.use(
                                            "k",
                                            "k",
                                            () -> 10L,
                                            () -> {
                                                throw new IOException("broken");
                                            },
                                            Value::number))
                    .hasMessage("broken");
            assertThat(cache.heldBytes()).isZero();
            AtomicInteger open = new AtomicInteger(1);
            int seen = cache.use("k", "k", () -> 10L, () -> new Value(4, open), Value::number);
            assertThat(seen).isEqualTo(4);
        }
    }
}
