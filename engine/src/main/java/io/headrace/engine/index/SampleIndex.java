package io.headrace.engine.index;

import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.descriptor.SampleRef;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The index of a source, memory-mapped: a descriptor is made from its columns in constant time, and nothing per sample is held.
 * Any number of threads may read; {@link #close} ends all of it, and a read after it fails.
 */
public final class SampleIndex implements AutoCloseable {

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Stands for a part without a duration. */
    static final int UNTIMED = -1;

    private final Arena arena;
    private final Path file;
    private final IndexMetadata metadata;
    private final List<String> fields;
    private final List<Codec> codecs;
    private final Map<Column, MemorySegment> columns = new EnumMap<>(Column.class);
    private final MemorySegment partOffsets;
    private final MemorySegment places;
    private final MemorySegment lengths;
    private final MemorySegment widths;
    private final MemorySegment heights;
    private final MemorySegment tokens;
    private final MemorySegment kinds;

    private SampleIndex(Arena arena, Path file, SafetensorsHeader header, MemorySegment data)
            throws IOException {
        this.arena = arena;
        this.file = file;
        this.metadata = IndexMetadata.decode(header.metadata());
        this.fields = IndexMetadata.fields(header.metadata());
        this.codecs = IndexMetadata.codecs(header.metadata());
        for (Column column : Column.values()) {
            SafetensorsHeader.Tensor tensor = header.tensor(column.columnName());
            if (tensor.dtype() != column.dtype()) {
                throw new IOException(
                        "Column %s is %s, needed is %s"
                                .formatted(tensor.name(), tensor.dtype(), column.dtype()));
            }
            columns.put(
                    column,
                    data.asSlice(tensor.beginBytes(), tensor.endBytes() - tensor.beginBytes()));
        }
        partOffsets = column(Column.PART_OFFSETS);
        places = column(Column.PART_PLACE);
        lengths = column(Column.PART_LENGTH);
        widths = column(Column.PART_WIDTH);
        heights = column(Column.PART_HEIGHT);
        tokens = column(Column.PART_TOKENS);
        kinds = column(Column.PART_LOCATION);
        checkRows();
    }

    private void checkRows() throws IOException {
        long parts = places.byteSize() / Long.BYTES;
        if (partOffsets.byteSize() < Long.BYTES || firstPart(size()) != parts) {
            throw new IOException("Columns of different length");
        }
        for (Column column : Column.values()) {
            if (column.columnName().startsWith("part_")
                    && column != Column.PART_OFFSETS
                    && column(column).byteSize() / column.dtype().bytes() != parts) {
                throw new IOException("Columns of different length");
            }
        }
    }

    /**
     * Maps an index.
     *
     * @throws IOException if the file is no index of this format; the message names it
     */
    @SuppressWarnings("MustBeClosedChecker") // the index owns the arena until its own close
    public static SampleIndex open(Path file) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] head = head(file);
            SafetensorsHeader header = SafetensorsHeader.decode(head);
            long dataBytes = channel.size() - head.length;
            if (dataBytes != header.dataBytes()) {
                throw new IOException(
                        "%d bytes of columns, the header names %d"
                                .formatted(dataBytes, header.dataBytes()));
            }
            MemorySegment data =
                    channel.map(FileChannel.MapMode.READ_ONLY, head.length, dataBytes, arena);
            return new SampleIndex(arena, file, header, data);
        } catch (IOException e) {
            arena.close();
            throw new IOException("Index %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static byte[] head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] prefix = in.readNBytes(Long.BYTES);
            if (prefix.length < Long.BYTES) {
                throw new IOException("%d bytes are no index".formatted(prefix.length));
            }
            long headBytes = SafetensorsHeader.dataOffset(prefix);
            byte[] head = new byte[(int) headBytes];
            System.arraycopy(prefix, 0, head, 0, Long.BYTES);
            int read = in.readNBytes(head, Long.BYTES, head.length - Long.BYTES);
            if (read < head.length - Long.BYTES) {
                throw new IOException(
                        "Cut within its header: %d bytes, needed are %d"
                                .formatted(read + Long.BYTES, headBytes));
            }
            return head;
        }
    }

    private MemorySegment column(Column column) {
        MemorySegment segment = columns.get(column);
        if (segment == null) {
            throw new IllegalStateException("No column " + column);
        }
        return segment;
    }

    /** The file that is mapped. */
    public Path file() {
        return file;
    }

    public IndexMetadata metadata() {
        return metadata;
    }

    /** Names of the fields that parts come from. */
    public List<String> fields() {
        return fields;
    }

    /** Number of samples. */
    public long size() {
        return partOffsets.byteSize() / Long.BYTES - 1;
    }

    /** Number of shards. */
    public int shards() {
        return (int) (column(Column.SHARD_BYTES).byteSize() / Long.BYTES);
    }

    /** A shard as it was when it was scanned. */
    public ShardEntry shard(int shard) {
        MemorySegment offsets = column(Column.SHARD_PATH_OFFSETS);
        long begin = offsets.getAtIndex(LONG, shard);
        long end = offsets.getAtIndex(LONG, shard + 1L);
        return new ShardEntry(
                text(column(Column.SHARD_PATH_BYTES).asSlice(begin, end - begin)),
                column(Column.SHARD_BYTES).getAtIndex(LONG, shard),
                column(Column.SHARD_MODIFIED).getAtIndex(LONG, shard),
                column(Column.SHARD_UNPACKED).getAtIndex(LONG, shard));
    }

    /** The first sample of a shard; of {@code shards()}: the number of samples. */
    public long firstSample(int shard) {
        return column(Column.SHARD_SAMPLES).getAtIndex(LONG, shard);
    }

    /** The first part of a sample; of {@code size()}: the number of parts. */
    public long firstPart(long sample) {
        return partOffsets.getAtIndex(LONG, sample);
    }

    /** Width of the stored picture or frame in pixels; 0 for a text or audio. */
    public int width(long part) {
        return widths.getAtIndex(INT, part);
    }

    /** Height of the stored picture or frame in pixels; 0 for a text or audio. */
    public int height(long part) {
        return heights.getAtIndex(INT, part);
    }

    /** Tokens of a text; 0 for media. */
    public int tokens(long part) {
        return tokens.getAtIndex(INT, part);
    }

    /** Payload bytes; -1 where only reading tells. */
    public long lengthBytes(long part) {
        return lengths.getAtIndex(LONG, part);
    }

    /** Stored orientation; upright for a text or audio. */
    public Orientation orientation(long part) {
        return Orientation.ofExif(column(Column.PART_ORIENTATION).get(ValueLayout.JAVA_BYTE, part));
    }

    /** How the payload is encoded. */
    public Codec codec(long part) {
        return codecs.get(column(Column.PART_CODEC).get(ValueLayout.JAVA_BYTE, part));
    }

    /** The key of a sample. */
    public String key(long sample) {
        return text(keyBytes(sample));
    }

    /** All that is known of a sample. */
    public Descriptor descriptor(SampleRef sample) {
        long first = firstPart(sample.index());
        long end = firstPart(sample.index() + 1);
        List<Part> parts = new ArrayList<>((int) (end - first));
        for (long part = first; part < end; part++) {
            parts.add(part(part));
        }
        return new Descriptor(sample, key(sample.index()), parts);
    }

    private Part part(long part) {
        Codec codec = codec(part);
        String field = fields.get(field(part));
        if (codec.isText()) {
            boolean exact = column(Column.PART_EXACT).get(ValueLayout.JAVA_BYTE, part) != 0;
            return new Part.Text(field, location(part), codec, tokens(part), exact);
        }
        int row = timed(part);
        if (row == UNTIMED) {
            return new Part.Image(
                    field, location(part), codec, width(part), height(part), orientation(part));
        }
        long units = column(Column.TIMED_UNITS).getAtIndex(LONG, row);
        int keysOrRate = column(Column.TIMED_KEYS_OR_RATE).getAtIndex(INT, row);
        int channels = column(Column.TIMED_CHANNELS).get(ValueLayout.JAVA_BYTE, row) & 0xFF;
        return channels > 0
                ? new Part.Audio(field, location(part), codec, keysOrRate, channels, units)
                : new Part.Video(
                        field,
                        location(part),
                        codec,
                        width(part),
                        height(part),
                        orientation(part),
                        (int) units,
                        column(Column.TIMED_SECONDS).getAtIndex(DOUBLE, row),
                        keysOrRate);
    }

    /** Row of a part among those with a duration, or {@link #UNTIMED}. */
    int timed(long part) {
        return column(Column.PART_TIMED).getAtIndex(INT, part);
    }

    private Location location(long part) {
        int shard = column(Column.PART_SHARD).getAtIndex(INT, part);
        long length = lengthBytes(part);
        return switch (locationKind(part)) {
            case LocationKind.RANGE -> new Location.Range(shard, place(part), length);
            case LocationKind.CELL -> new Location.Cell(shard, place(part), field(part), length);
            case LocationKind.FILE -> new Location.File(shard, text(pathBytes(part)), length);
            default ->
                    throw new IllegalStateException(
                            "Location of kind %d in %s".formatted(locationKind(part), file));
        };
    }

    long place(long part) {
        return places.getAtIndex(LONG, part);
    }

    int locationKind(long part) {
        return kinds.get(ValueLayout.JAVA_BYTE, part);
    }

    int field(long part) {
        return column(Column.PART_FIELD).getAtIndex(SHORT, part);
    }

    MemorySegment keyBytes(long sample) {
        MemorySegment offsets = column(Column.KEY_OFFSETS);
        long begin = offsets.getAtIndex(LONG, sample);
        return column(Column.KEY_BYTES)
                .asSlice(begin, offsets.getAtIndex(LONG, sample + 1) - begin);
    }

    MemorySegment pathBytes(long part) {
        int length = column(Column.PART_PATH_LENGTH).getAtIndex(INT, part);
        return column(Column.PATH_BYTES).asSlice(place(part), length);
    }

    MemorySegment rows(Column column, long first, long end) {
        int bytes = column.dtype().bytes();
        return column(column).asSlice(first * bytes, (end - first) * bytes);
    }

    private static String text(MemorySegment utf8) {
        return new String(utf8.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        arena.close();
    }
}
