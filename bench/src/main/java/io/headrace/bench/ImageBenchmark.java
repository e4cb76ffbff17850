package io.headrace.bench;

import static java.util.Objects.requireNonNull;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.process.ImageLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of a picture, the whole way from its encoded bytes in memory to the tensor in a slot in shared memory that is reused.
 * {@code bench/python/image_bench.py} runs it in turns with the references, on one core.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class ImageBenchmark {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** The model and its numbers. */
    @Param({"qwen2_5_vl:3136:1003520", "clip:224"})
    String model = "";

    /** Element type and quality. */
    @Param({"float32-exact", "bfloat16-exact", "uint8-exact", "float32-fast", "uint8-fast"})
    String way = "";

    @Param("") // a JPEG file
    String file = "";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Arena arena = Arena.ofShared();
    private MemorySegment encoded = MemorySegment.NULL;
    private MemorySegment slot = MemorySegment.NULL;
    private @Nullable ImageWay opened;
    private @Nullable ImageLayout layout;

    /** CPU time of the benchmark's thread, which other processes on the core do not add to. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Cpu {
        public long cpuNanos;
        public long pictures;
    }

    @Setup
    public void open() throws IOException, BadPayload {
        String[] words = way.split("-", -1);
        ImageWay opening = ImageWay.of(model, words[0], words[1]);
        opened = opening;
        try (FileChannel channel = FileChannel.open(Path.of(file))) {
            encoded = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        ImageLayout sizes = opening.layout(encoded);
        layout = sizes;
        slot = slot(opening.bytes(sizes));
    }

    private MemorySegment slot(long bytes) throws IOException {
        Path name = Files.createTempFile(SHARED_MEMORY, "headrace-bench", "");
        try (FileChannel channel =
                FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena).fill((byte) 0);
        } finally {
            Files.delete(name);
        }
    }

    @Benchmark
    public void picture(Cpu cpu) throws BadPayload {
        long start = threads.getCurrentThreadCpuTime();
        requireNonNull(opened).run(encoded, requireNonNull(layout), slot);
        cpu.cpuNanos += threads.getCurrentThreadCpuTime() - start;
        cpu.pictures++;
    }

    @TearDown(Level.Trial)
    public void close() {
        requireNonNull(opened).close();
        arena.close();
    }
}
