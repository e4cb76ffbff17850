package io.headrace.bench.prepare;

import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.runtime.prepare.Prepare;
import io.headrace.runtime.prepare.PrepareProgress;
import io.headrace.runtime.prepare.PrepareSettings;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Samples and bytes a second of {@code prepare} over tars of small samples, side by side with two bounds over the same files on one
 * thread: reading them from end to end, and reading one 8 KiB block for each tar header. The kinds are interleaved; medians are printed
 * with the least and the greatest. Files are made anew by a seeded generator.
 *
 * <p>Arguments: folder for the shards, samples, bytes of a picture, repeats, {@code cold} to drop the files from memory before each run.
 */
public final class PrepareBenchmark {

    private static final int SHARDS = 16;
    private static final int BLOCK = 512;
    private static final int READ_BYTES = 1 << 20;
    private static final int SEEK_BYTES = 8 << 10;
    private static final long SEED = 17;
    private static final double MEGABYTE = 1e6;
    private static final double NANOS_A_SECOND = 1e9;

    private final Path folder;
    private final int samples;
    private final int pictureBytes;
    private final boolean cold;

    private PrepareBenchmark(Path folder, int samples, int pictureBytes, boolean cold) {
        this.folder = folder;
        this.samples = samples;
        this.pictureBytes = pictureBytes;
        this.cold = cold;
    }

    /** One of the things that are timed. */
    private interface Run {
        void run() throws IOException, InterruptedException;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        int repeats = Integer.parseInt(args[3]);
        PrepareBenchmark benchmark =
                new PrepareBenchmark(
                        folder,
                        Integer.parseInt(args[1]),
                        Integer.parseInt(args[2]),
                        args.length > 4 && args[4].equals("cold"));
        Files.createDirectories(folder);
        benchmark.makeShards();
        benchmark.measure(repeats);
    }

    private List<Path> shards() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".tar")).sorted().toList();
        }
    }

    private void makeShards() throws IOException {
        if (shards().size() == SHARDS) {
            return;
        }
        Random random = new Random(SEED);
        int perShard = samples / SHARDS;
        for (int shard = 0; shard < SHARDS; shard++) {
            Path file = folder.resolve("bench-%02d.tar".formatted(shard));
            try (OutputStream out = Files.newOutputStream(file);
                    OutputStream tar = new BufferedOutputStream(out, READ_BYTES)) {
                for (int i = 0; i < perShard; i++) {
                    String key = "%08d".formatted(shard * perShard + i);
                    tar.write(member(key + ".jpg", jpeg(random)));
                    byte[] caption =
                            "a picture of thing %d"
                                    .formatted(random.nextInt(1000))
                                    .getBytes(StandardCharsets.UTF_8);
                    tar.write(member(key + ".txt", caption));
                }
                tar.write(new byte[2 * BLOCK]);
            }
        }
    }

    /** The header of a JPEG of some size, and noise in the place of its data. */
    private byte[] jpeg(Random random) {
        byte[] bytes = new byte[Math.max(64, (int) (pictureBytes * (0.5 + random.nextDouble())))];
        random.nextBytes(bytes);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        head.putInt(0xffd8ffe0)
                .putShort((short) 16)
                .put("JFIF\0".getBytes(StandardCharsets.US_ASCII));
        head.put(new byte[9]);
        head.putShort((short) 0xffc0).putShort((short) 17).put((byte) 8);
        head.putShort((short) (100 + random.nextInt(900)))
                .putShort((short) (100 + random.nextInt(900)));
        head.put(new byte[] {3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1});
        head.putShort((short) 0xffda).putShort((short) 12);
        head.put(new byte[] {3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0});
        return bytes;
    }

    private static byte[] member(String name, byte[] content) {
        byte[] bytes = new byte[BLOCK + (content.length + BLOCK - 1) / BLOCK * BLOCK];
        put(bytes, 0, name);
        put(bytes, 100, "0000644\0");
        put(bytes, 124, "%011o\0".formatted(content.length));
        put(bytes, 136, "00000000000\0");
        Arrays.fill(bytes, 148, 156, (byte) ' ');
        bytes[156] = '0';
        put(bytes, 257, "ustar\0" + "00");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += bytes[i] & 0xff;
        }
        put(bytes, 148, "%06o\0 ".formatted(sum));
        System.arraycopy(content, 0, bytes, BLOCK, content.length);
        return bytes;
    }

    private static void put(byte[] bytes, int offset, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, bytes, offset, ascii.length);
    }

    private void measure(int repeats) throws IOException, InterruptedException {
        List<String> names = List.of("read all", "headers only", "prepare");
        List<Run> runs = List.of(this::readAll, this::readHeaders, this::prepare);
        List<List<Double>> seconds = new ArrayList<>();
        names.forEach(name -> seconds.add(new ArrayList<>()));
        for (int repeat = 0; repeat <= repeats; repeat++) {
            for (int i = 0; i < runs.size(); i++) {
                dropFromMemory();
                long start = System.nanoTime();
                runs.get(i).run();
                if (repeat > 0) {
                    seconds.get(i).add((System.nanoTime() - start) / NANOS_A_SECOND);
                }
            }
        }
        print(names, seconds);
    }

    private void print(List<String> names, List<List<Double>> seconds) throws IOException {
        long bytes = 0;
        for (Path shard : shards()) {
            bytes += Files.size(shard);
        }
        System.out.printf(
                Locale.ROOT,
                "%,d samples in %d shards, %.1f MB, %s%n",
                samples,
                SHARDS,
                bytes / MEGABYTE,
                cold ? "dropped from memory before each run" : "in memory");
        for (int i = 0; i < names.size(); i++) {
            double[] sorted =
                    seconds.get(i).stream().mapToDouble(Double::doubleValue).sorted().toArray();
            double median = sorted[sorted.length / 2];
            System.out.printf(
                    Locale.ROOT,
                    "%-13s median %.3f s (%.3f to %.3f)  %,.0f samples/s  %,.0f MB/s%n",
                    names.get(i),
                    median,
                    sorted[0],
                    sorted[sorted.length - 1],
                    samples / median,
                    bytes / MEGABYTE / median);
        }
    }

    private void dropFromMemory() throws IOException, InterruptedException {
        if (!cold) {
            return;
        }
        for (Path shard : shards()) {
            new ProcessBuilder(
                            "dd",
                            "of=" + shard,
                            "oflag=nocache",
                            "conv=notrunc,fdatasync",
                            "count=0")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    private void readAll() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        for (Path shard : shards()) {
            try (FileChannel channel = FileChannel.open(shard)) {
                while (channel.read(buffer) >= 0) {
                    buffer.clear();
                }
            }
        }
    }

    private void readHeaders() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SEEK_BYTES);
        byte[] size = new byte[11];
        for (Path shard : shards()) {
            try (FileChannel channel = FileChannel.open(shard)) {
                long offset = 0;
                while (channel.read(buffer.clear(), offset) >= BLOCK && buffer.get(0) != 0) {
                    buffer.get(124, size);
                    long bytes = Long.parseLong(new String(size, StandardCharsets.US_ASCII), 8);
                    offset += BLOCK + (bytes + BLOCK - 1) / BLOCK * BLOCK;
                }
            }
        }
    }

    private void prepare() throws IOException, InterruptedException {
        Path index = folder.resolve("index");
        PrepareSettings settings =
                new PrepareSettings(
                        folder,
                        index,
                        null,
                        ErrorSpec.Policy.STOP,
                        PrepareSettings.Limits.ofThisMachine());
        Files.deleteIfExists(settings.indexFile("bench"));
        SourceSpec source =
                new SourceSpec(
                        "bench", List.of("*.tar"), List.of("jpg"), List.of(), List.of(), "txt");
        long found =
                new Prepare(settings, PrepareProgress.SILENT)
                        .run(List.of(source))
                        .getFirst()
                        .samples();
        if (found != (long) SHARDS * (samples / SHARDS)) {
            throw new IllegalStateException("%d samples of %d".formatted(found, samples));
        }
    }
}
