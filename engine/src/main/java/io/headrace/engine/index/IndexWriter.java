package io.headrace.engine.index;

import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes an index shard by shard, in memory that does not grow with the samples. A shard is begun, then its samples are added one by
 * one or copied from another index. The file appears under its name only when it is whole and on disk. Not thread-safe.
 */
public final class IndexWriter implements AutoCloseable {

    private static final int MAX_FIELDS = Short.MAX_VALUE;

    private final Map<Column, SpillColumn> columns = new EnumMap<>(Column.class);
    private final List<String> fields = new ArrayList<>();
    private final Map<String, Integer> fieldNumbers = new HashMap<>();
    private long samples;
    private long parts;
    private int shards;

    /**
     * @param spillFolder holds what does not fit in memory, in files without a name
     */
    public IndexWriter(Path spillFolder) {
        for (Column column : Column.values()) {
            columns.put(column, new SpillColumn(spillFolder));
        }
    }

    SpillColumn column(Column column) {
        SpillColumn spill = columns.get(column);
        if (spill == null) {
            throw new IllegalStateException("No column " + column);
        }
        return spill;
    }

    /** Samples written so far. */
    public long samples() {
        return samples;
    }

    /** Number of the shard that was begun last; 0 before the first, see {@link #setOnlyShard}. */
    int currentShard() {
        return Math.max(0, shards - 1);
    }

    /** The samples that follow lie in this shard. */
    public void beginShard(ShardEntry shard) throws IOException {
        addShard(shard, samples);
    }

    /** All samples so far lie in this shard, of which more is known now than before its samples were. */
    public void setOnlyShard(ShardEntry shard) throws IOException {
        if (shards != 0) {
            throw new IllegalStateException("A shard was begun before");
        }
        addShard(shard, 0);
    }

    private void addShard(ShardEntry shard, long firstSample) throws IOException {
        column(Column.SHARD_PATH_OFFSETS).putLong(column(Column.SHARD_PATH_BYTES).bytes());
        column(Column.SHARD_PATH_BYTES).putBytes(utf8(shard.path()));
        column(Column.SHARD_BYTES).putLong(shard.sizeBytes());
        column(Column.SHARD_MODIFIED).putLong(shard.modifiedNanos());
        column(Column.SHARD_UNPACKED).putLong(shard.unpackedBytes());
        column(Column.SHARD_SAMPLES).putLong(firstSample);
        shards++;
    }

    /**
     * Adds a sample of the shard that was begun last; the shard number of its locations is not looked at.
     *
     * @param parts in the order in which the sample shows them
     */
    public void add(String key, List<Part> parts) throws IOException {
        beginSample(utf8(key), this.parts);
        for (Part part : parts) {
            add(part);
        }
        this.parts += parts.size();
    }

    void beginSample(MemorySegment key, long firstPart) throws IOException {
        column(Column.KEY_OFFSETS).putLong(column(Column.KEY_BYTES).bytes());
        column(Column.KEY_BYTES).putBytes(key);
        column(Column.PART_OFFSETS).putLong(firstPart);
        samples++;
    }

    /** Adds all samples of a shard of another index to the shard that was begun last. */
    public void append(SampleIndex from, int shard) throws IOException {
        parts += new IndexCopy(from, this).copy(shard, parts);
    }

    private void add(Part part) throws IOException {
        column(Column.PART_SHARD).putInt(currentShard());
        column(Column.PART_FIELD).putShort(fieldNumber(part.field()));
        column(Column.PART_CODEC).putByte(IndexMetadata.codecNumber(part.codec()));
        column(Column.PART_LENGTH).putLong(part.location().lengthBytes());
        addLocation(part);
        switch (part) {
            case Part.Image image -> {
                addNumbers(image.width(), image.height(), 0);
                addFlags(image.orientation().exif(), false);
                column(Column.PART_TIMED).putInt(SampleIndex.UNTIMED);
            }
            case Part.Video video -> {
                addNumbers(video.width(), video.height(), 0);
                addFlags(video.orientation().exif(), false);
                addTimed(video.frames(), video.seconds(), video.keyFrames(), 0);
            }
            case Part.Audio audio -> {
                addNumbers(0, 0, 0);
                addFlags(0, false);
                addTimed(audio.samples(), audio.seconds(), audio.rateHz(), audio.channels());
            }
            case Part.Text text -> {
                addNumbers(0, 0, text.tokens());
                addFlags(0, text.exact());
                column(Column.PART_TIMED).putInt(SampleIndex.UNTIMED);
            }
        }
    }

    private void addNumbers(int width, int height, int tokens) throws IOException {
        column(Column.PART_WIDTH).putInt(width);
        column(Column.PART_HEIGHT).putInt(height);
        column(Column.PART_TOKENS).putInt(tokens);
    }

    private void addFlags(int orientation, boolean exact) throws IOException {
        column(Column.PART_ORIENTATION).putByte(orientation);
        column(Column.PART_EXACT).putByte(exact ? 1 : 0);
    }

    private void addTimed(long units, double seconds, int keysOrRate, int channels)
            throws IOException {
        column(Column.PART_TIMED).putInt(timedRows());
        column(Column.TIMED_UNITS).putLong(units);
        column(Column.TIMED_SECONDS).putLong(Double.doubleToRawLongBits(seconds));
        column(Column.TIMED_KEYS_OR_RATE).putInt(keysOrRate);
        column(Column.TIMED_CHANNELS).putByte(channels);
    }

    /** Parts with a duration so far. */
    int timedRows() {
        return (int) column(Column.TIMED_CHANNELS).bytes();
    }

    private void addLocation(Part part) throws IOException {
        switch (part.location()) {
            case Location.Range range -> addPlace(LocationKind.RANGE, range.offsetBytes(), 0);
            case Location.Cell cell -> addPlace(LocationKind.CELL, cell.row(), 0);
            case Location.File file -> {
                MemorySegment path = utf8(file.path());
                SpillColumn paths = column(Column.PATH_BYTES);
                addPlace(LocationKind.FILE, paths.bytes(), (int) path.byteSize());
                paths.putBytes(path);
            }
        }
    }

    private void addPlace(int kind, long place, int pathBytes) throws IOException {
        column(Column.PART_LOCATION).putByte(kind);
        column(Column.PART_PLACE).putLong(place);
        column(Column.PART_PATH_LENGTH).putInt(pathBytes);
    }

    /** Number of a field name in this index; a new name gets the next. */
    public int fieldNumber(String field) throws IOException {
        Integer known = fieldNumbers.get(field);
        if (known != null) {
            return known;
        }
        if (fields.size() == MAX_FIELDS) {
            throw new IOException(
                    "A source with more than %d field names; one of them is '%s'"
                            .formatted(MAX_FIELDS, field));
        }
        fields.add(field);
        fieldNumbers.put(field, fields.size() - 1);
        return fields.size() - 1;
    }

    private static MemorySegment utf8(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the file and makes it durable; the writer takes no more samples. */
    public void finish(Path target, IndexMetadata metadata) throws IOException {
        write(target, metadata, true);
    }

    /** Writes a file that may be lost with the machine, but never cut by the end of the process. */
    public void finishQuickly(Path target, IndexMetadata metadata) throws IOException {
        write(target, metadata, false);
    }

    private void write(Path target, IndexMetadata metadata, boolean durable) throws IOException {
        column(Column.KEY_OFFSETS).putLong(column(Column.KEY_BYTES).bytes());
        column(Column.PART_OFFSETS).putLong(parts);
        column(Column.SHARD_PATH_OFFSETS).putLong(column(Column.SHARD_PATH_BYTES).bytes());
        column(Column.SHARD_SAMPLES).putLong(samples);
        Path folder = target.toAbsolutePath().resolveSibling(".");
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try (FileChannel out =
                FileChannel.open(
                        part,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer header = ByteBuffer.wrap(header(metadata).encode());
            while (header.hasRemaining()) {
                out.write(header);
            }
            for (Column column : Column.values()) {
                column(column).writeTo(out);
            }
            if (durable) {
                out.force(true);
            }
        }
        Files.move(
                part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (durable) {
            forceFolder(folder);
        }
    }

    private static void forceFolder(Path folder) throws IOException {
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private SafetensorsHeader header(IndexMetadata metadata) {
        List<SafetensorsHeader.Tensor> tensors = new ArrayList<>();
        long begin = 0;
        for (Column column : Column.values()) {
            long rows = column(column).bytes() / column.dtype().bytes();
            SafetensorsHeader.Tensor tensor =
                    SafetensorsHeader.Tensor.at(begin, column.columnName(), column.dtype(), rows);
            tensors.add(tensor);
            begin = tensor.endBytes();
        }
        return new SafetensorsHeader(metadata.encode(fields), tensors);
    }

    @Override
    public void close() throws IOException {
        for (SpillColumn column : columns.values()) {
            column.close();
        }
    }
}
