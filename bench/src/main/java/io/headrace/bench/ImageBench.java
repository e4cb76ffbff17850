package io.headrace.bench;

import io.headrace.media.process.ImageLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Times pictures on request: reads lines {@code MODEL WIRE QUALITY REPEATS FILE} and answers each with the CPU nanoseconds of every repeat,
 * from encoded bytes in memory to the tensor in a slot that is reused. The slot is a file in shared memory, whose path is the one
 * argument.
 */
public final class ImageBench implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Path slotFile;
    private final Map<String, ImageWay> ways = new HashMap<>();
    private final Map<Path, MemorySegment> pictures = new HashMap<>();
    private MemorySegment slot = MemorySegment.NULL;

    private ImageBench(Path slotFile) {
        this.slotFile = slotFile;
    }

    public static void main(String[] args) throws Exception {
        try (ImageBench bench = new ImageBench(Path.of(args[0]));
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(bench.answer(line.split(" ", 5)));
            }
        }
    }

    private String answer(String[] words) throws Exception {
        String key = words[0] + " " + words[1] + " " + words[2];
        ImageWay way =
                ways.computeIfAbsent(
                        key,
                        k -> new ImageWay(ImageWay.spec(words[0], words[1], words[2], "white")));
        int repeats = Integer.parseInt(words[3]);
        MemorySegment encoded = pictures.computeIfAbsent(Path.of(words[4]), this::map);
        ImageLayout layout = way.layout(encoded);
        MemorySegment out = slot(way.bytes(layout));
        StringBuilder nanos = new StringBuilder();
        for (int i = 0; i < repeats; i++) {
            long start = threads.getCurrentThreadCpuTime();
            way.run(encoded, layout, out);
            nanos.append(threads.getCurrentThreadCpuTime() - start).append(' ');
        }
        return nanos.toString().trim();
    }

    private MemorySegment map(Path file) {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MemorySegment slot(long bytes) throws IOException {
        if (slot.byteSize() < bytes) {
            try (FileChannel channel =
                    FileChannel.open(
                            slotFile,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE)) {
                slot = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena).fill((byte) 0);
            }
        }
        return slot.asSlice(0, bytes);
    }

    @Override
    public void close() {
        ways.values().forEach(ImageWay::close);
        arena.close();
    }
}
