package io.headrace.sources.formats.parquet;

import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.schema.ColumnProjection;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.stores.LocalFile;
import io.headrace.sources.stores.Unpacked;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The values of one column in one row group, decompressed into a file without a name. Any number of threads may read.
 */
public final class UnpackedColumn implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final LocalFile bytes;
    private final long[] offsets;
    private final int[] firstValues;

    private UnpackedColumn(LocalFile bytes, long[] offsets, int[] firstValues) {
        this.bytes = bytes;
        this.offsets = offsets;
        this.firstValues = firstValues;
    }

    static ParquetField field(Path shard, ParquetFileReader file, String partField)
            throws BadShard {
        return ParquetField.ofPart(file.getFileSchema(), partField)
                .orElseThrow(() -> new BadShard(shard, Reason.CHANGED, "no column " + partField));
    }

    /** The column that a part's field names, without the number of its element: parts of one list share it. */
    public static String columnOf(String partField) {
        return partField.replaceFirst("\\[\\d+\\]", "[]");
    }

    /**
     * Reads a column.
     *
     * @param partField field of any part that was made of it
     * @param limitBytes more are an error
     */
    public static UnpackedColumn of(
            Path shard,
            ParquetGuard guard,
            ParquetLayout layout,
            int rowGroup,
            String partField,
            Path folder,
            long limitBytes)
            throws IOException {
        return guard.read(
                shard,
                (file, progress) -> {
                    ParquetField field = field(shard, file, partField);
                    long first = layout.firstRow(rowGroup);
                    int rows = Math.toIntExact(layout.firstRow(rowGroup + 1) - first);
                    FileChannel out = Unpacked.unnamed(folder);
                    try (RowReader reader =
                            file.buildRowReader()
                                    .projection(ColumnProjection.columns(field.projection()))
                                    .skip(first)
                                    .head(rows)
                                    .build()) {
                        return new Writing(shard, out, limitBytes)
                                .column(reader, rows, field, progress);
                    } catch (IOException | RuntimeException e) {
                        out.close();
                        throw e;
                    }
                });
    }

    /** Collects values while they are written. */
    private static final class Writing {
        private final Path shard;
        private final FileChannel out;
        private final long limitBytes;
        private long[] offsets = new long[1024];
        private int values;
        private long written;

        private Writing(Path shard, FileChannel out, long limitBytes) {
            this.shard = shard;
            this.out = out;
            this.limitBytes = limitBytes;
        }

        private UnpackedColumn column(
                RowReader reader, int rows, ParquetField field, AtomicLong progress)
                throws IOException {
            int[] firstValues = new int[rows + 1];
            OutputStream stream =
                    new BufferedOutputStream(Channels.newOutputStream(out), BUFFER_BYTES);
            int row = 0;
            while (row < rows && reader.hasNext()) {
                reader.next();
                firstValues[row++] = values;
                write(field.values(reader), stream);
                progress.incrementAndGet();
            }
            stream.flush();
            if (row < rows) {
                throw new BadShard(
                        shard, Reason.CORRUPT, "%d rows where %d are named".formatted(row, rows));
            }
            firstValues[rows] = values;
            add();
            return new UnpackedColumn(
                    LocalFile.of(shard.toString(), out),
                    Arrays.copyOf(offsets, values),
                    firstValues);
        }

        private void write(List<byte[]> cells, OutputStream stream) throws IOException {
            for (byte[] cell : cells) {
                add();
                if (cell != null) {
                    stream.write(cell);
                    written += cell.length;
                }
                if (written > limitBytes) {
                    throw new BadShard(
                            shard,
                            Reason.TOO_LONG,
                            "a row group of more than %d bytes, the limit of the cache"
                                    .formatted(limitBytes));
                }
            }
        }

        private void add() {
            if (values == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * values);
            }
            offsets[values++] = written;
        }
    }

    private int value(int row, String partField) {
        return firstValues[row] + ParquetField.elementOfPart(partField);
    }

    /** Length of a value. */
    public long lengthBytes(int row, String partField) {
        int value = value(row, partField);
        return offsets[value + 1] - offsets[value];
    }

    /** Reads a value, exactly as long as {@code into}. */
    public void read(int row, String partField, MemorySegment into) throws IOException {
        bytes.readFully(offsets[value(row, partField)], into);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
