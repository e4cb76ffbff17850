package io.headrace.bench;

import static java.util.Objects.requireNonNull;

import io.headrace.engine.descriptor.BadPayload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
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
 * Time of a video, from its bytes in memory to copies of the chosen frames in RGB. {@code bench/python/video_bench.py} runs it in turns
 * with PyAV, on one core.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class VideoBenchmark {
    /** Which frames, as {@link VideoWay} names it. */
    @Param({"rate:2", "count:8"})
    String choice = "";

    @Param("") // a video file
    String file = "";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Arena arena = Arena.ofShared();
    private MemorySegment encoded = MemorySegment.NULL;
    private MemorySegment frames = MemorySegment.NULL;
    private @Nullable VideoWay opened;

    /** CPU time of the benchmark's thread, which other processes on the core do not add to. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Cpu {
        public long cpuNanos;
        public long videos;
    }

    @Setup
    public void open() throws IOException, BadPayload {
        opened = VideoWay.of(choice);
        try (FileChannel channel = FileChannel.open(Path.of(file))) {
            encoded = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        long[] bytes = new long[1];
        opened.run(encoded, (k, picture) -> bytes[0] += picture.rgb().byteSize());
        frames = arena.allocate(bytes[0], 64).fill((byte) 0);
    }

    @Benchmark
    public void video(Cpu cpu) throws BadPayload, IOException {
        long start = threads.getCurrentThreadCpuTime();
        requireNonNull(opened)
                .run(
                        encoded,
                        (k, picture) -> {
                            long size = 3L * picture.width() * picture.height();
                            MemorySegment.copy(picture.rgb(), 0, frames, k * size, size);
                        });
        cpu.cpuNanos += threads.getCurrentThreadCpuTime() - start;
        cpu.videos++;
    }

    @TearDown(Level.Trial)
    public void close() {
        requireNonNull(opened).close();
        arena.close();
    }
}
