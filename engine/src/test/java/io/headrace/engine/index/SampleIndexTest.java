package io.headrace.engine.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleIndexTest {

    @TempDir Path folder;

    private static final SkipSummary SKIPS =
            new SkipSummary(
                    List.of(
                            new SkipSummary.Entry(
                                    BadPayload.Reason.EMPTY, 7, List.of("a.tar: x.jpg"))));

    private static List<Part> timed(int shard) {
        return List.of(
                new Part.Audio(
                        "flac", new Location.Range(shard, 8, 9), Codec.FLAC, 44_100, 2, 88_200),
                new Part.Video(
                        "mp4",
                        new Location.File(shard, "v.mp4", 5000),
                        Codec.H265,
                        1920,
                        1080,
                        Orientation.ROTATED_90,
                        82,
                        2.75,
                        3));
    }

    /** The index that the Python side reads as well: three kinds of location, a key beyond ASCII, a sample of no text. */
    static void writeExample(Path target, Path spill) throws IOException {
        try (IndexWriter writer = new IndexWriter(spill)) {
            writer.beginShard(
                    new ShardEntry("a-000.tar", 10240, 1_700_000_000_000_000_001L, 10240));
            writer.add(
                    "0001",
                    List.of(
                            new Part.Image(
                                    "jpg",
                                    new Location.Range(0, 512, 4000),
                                    Codec.JPEG,
                                    640,
                                    480,
                                    Orientation.ROTATED_90),
                            new Part.Text(
                                    "txt", new Location.Range(0, 5120, 11), Codec.TEXT, 3, true)));
            writer.add("zwölf", List.of());
            writer.beginShard(new ShardEntry("b.parquet", 99, 5, 99));
            writer.add(
                    "7",
                    List.of(
                            new Part.Image(
                                    "image.bytes",
                                    new Location.Cell(1, 7, 2, 123),
                                    Codec.PNG,
                                    3,
                                    5,
                                    Orientation.UPRIGHT),
                            new Part.Text(
                                    "conversations",
                                    new Location.File(1, "ü/c.json", 77),
                                    Codec.JSON,
                                    20,
                                    false)));
            writer.add("8", timed(1));
            writer.finish(target, IndexMetadata.ofShard("web", "settings v1", SKIPS));
        }
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        Path file = folder.resolve("web.index");
        writeExample(file, folder);
        try (SampleIndex index = SampleIndex.open(file)) {
            assertThat(index.size()).isEqualTo(4);
            assertThat(index.metadata())
                    .isEqualTo(IndexMetadata.ofShard("web", "settings v1", SKIPS));
            assertThat(index.metadata().allSkips()).isEqualTo(SKIPS);
            assertThat(index.fields())
                    .containsExactly("jpg", "txt", "image.bytes", "conversations", "flac", "mp4");
            assertThat(index.shards()).isEqualTo(2);
            assertThat(index.shard(0))
                    .isEqualTo(
                            new ShardEntry("a-000.tar", 10240, 1_700_000_000_000_000_001L, 10240));
            assertThat(index.firstSample(1)).isEqualTo(2);
            Descriptor first = index.descriptor(new SampleRef(4, 0));
            assertThat(first.key()).isEqualTo("0001");
            assertThat(first.images().getFirst().uprightWidth()).isEqualTo(480);
            assertThat(first.parts().get(1))
                    .isEqualTo(
                            new Part.Text(
                                    "txt", new Location.Range(0, 5120, 11), Codec.TEXT, 3, true));
            assertThat(index.descriptor(new SampleRef(4, 1)))
                    .isEqualTo(new Descriptor(new SampleRef(4, 1), "zwölf", List.of()));
            assertThat(index.descriptor(new SampleRef(4, 2)).parts())
                    .extracting(Part::location)
                    .containsExactly(
                            new Location.Cell(1, 7, 2, 123), new Location.File(1, "ü/c.json", 77));
            assertThat(index.descriptor(new SampleRef(4, 3)).parts()).isEqualTo(timed(1));
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    /** The file is read by {@code python/tests/test_index.py} as well; other bytes are another format. */
    @Test
    void bytesAreThoseOfTheKeptFile() throws IOException {
        Path file = folder.resolve("example");
        writeExample(file, folder);
        try (InputStream kept = getClass().getResourceAsStream("example.safetensors")) {
            assertThat(kept).isNotNull();
            assertThat(Files.readAllBytes(file)).isEqualTo(kept.readAllBytes());
        }
    }

    @Test
    void copiesShardsFromOtherIndexes() throws IOException {
        Path file = folder.resolve("one");
        writeExample(file, folder);
        Path both = folder.resolve("both");
        try (SampleIndex one = SampleIndex.open(file);
                IndexWriter writer = new IndexWriter(folder)) {
            writer.fieldNumber("other");
            writer.beginShard(one.shard(1));
            writer.append(one, 1);
            writer.beginShard(one.shard(0));
            writer.append(one, 0);
            writer.beginShard(one.shard(1));
            writer.append(one, 1);
            writer.finish(both, one.metadata());
        }
        try (SampleIndex index = SampleIndex.open(both)) {
            assertThat(index.size()).isEqualTo(6);
            assertThat(keys(index)).containsExactly("7", "8", "0001", "zwölf", "7", "8");
            assertThat(index.descriptor(new SampleRef(0, 1)).parts()).isEqualTo(timed(0));
            assertThat(index.descriptor(new SampleRef(0, 5)).parts()).isEqualTo(timed(2));
            assertThat(index.descriptor(new SampleRef(0, 0)).parts())
                    .extracting(Part::location)
                    .containsExactly(
                            new Location.Cell(0, 7, 3, 123), new Location.File(0, "ü/c.json", 77));
            assertThat(index.descriptor(new SampleRef(0, 4)).parts())
                    .extracting(Part::location)
                    .containsExactly(
                            new Location.Cell(2, 7, 3, 123), new Location.File(2, "ü/c.json", 77));
            assertThat(index.descriptor(new SampleRef(0, 2)).images().getFirst().location())
                    .isEqualTo(new Location.Range(1, 512, 4000));
        }
    }

    private static List<String> keys(SampleIndex index) {
        List<String> keys = new ArrayList<>();
        for (long i = 0; i < index.size(); i++) {
            keys.add(index.key(i));
        }
        return keys;
    }

    @Test
    void columnsLargerThanTheirMemorySpill() throws IOException {
        Path file = folder.resolve("large");
        long seed = 7;
        Random random = new Random(seed);
        int count = 200_000;
        assertThat(count * 8).isGreaterThan(SpillColumn.MEMORY_BYTES);
        List<Location.Range> places = new ArrayList<>();
        try (IndexWriter writer = new IndexWriter(folder)) {
            writer.beginShard(new ShardEntry("s", 1, 1, 1));
            for (int i = 0; i < count; i++) {
                Location.Range range =
                        new Location.Range(0, random.nextLong(1L << 40), random.nextInt(1 << 20));
                places.add(range);
                writer.add(
                        "key" + i,
                        List.of(new Part.Text("txt", range, Codec.TEXT, i % 1000, false)));
            }
            writer.finish(file, IndexMetadata.ofShard("s", "", SkipSummary.NONE));
        }
        try (SampleIndex index = SampleIndex.open(file)) {
            for (int i = 0; i < count; i += 997) {
                Descriptor d = index.descriptor(new SampleRef(0, i));
                assertThat(d.key()).isEqualTo("key" + i);
                assertThat(d.parts().getFirst().location())
                        .as("seed %d", seed)
                        .isEqualTo(places.get(i));
                assertThat(index.tokens(i)).isEqualTo(i % 1000);
            }
        }
    }

    @Test
    void namesAFileThatIsNoIndex() throws IOException {
        Path file = folder.resolve("cut");
        writeExample(file, folder);
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, 4, 100, bytes.length - 1}) {
            Path cut = folder.resolve("cut-" + length);
            Files.write(cut, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> SampleIndex.open(cut))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(cut.toString());
        }
    }
}
