package io.headrace.sources.formats.parquet;

import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.reader.ParquetFileReader;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a Parquet footer tells of where rows lie. Immutable.
 *
 * @param firstRows first row of each row group, and at the end the number of rows
 */
public record ParquetLayout(List<Long> firstRows) {
    public ParquetLayout {
        firstRows = List.copyOf(firstRows);
    }

    /** Reads the footer of a file. */
    public static ParquetLayout read(Path shard, ParquetGuard guard) throws IOException {
        return guard.read(shard, (file, progress) -> of(file));
    }

    private static ParquetLayout of(ParquetFileReader file) {
        List<Long> firstRows = new ArrayList<>();
        long row = 0;
        for (RowGroup group : file.getFileMetaData().rowGroups()) {
            firstRows.add(row);
            row += group.numRows();
        }
        firstRows.add(row);
        return new ParquetLayout(firstRows);
    }

    /** The row group of a row. */
    public int rowGroup(Path shard, long row) throws BadShard {
        if (row >= firstRows.getLast()) {
            throw new BadShard(
                    shard, Reason.CHANGED, "row %d of %d".formatted(row, firstRows.getLast()));
        }
        long[] starts = firstRows.stream().mapToLong(Long::longValue).toArray();
        int found = Arrays.binarySearch(starts, row);
        int group = found >= 0 ? found : -found - 2;
        while (firstRows.get(group + 1) <= row) {
            group++;
        }
        return group;
    }

    public long firstRow(int rowGroup) {
        return firstRows.get(rowGroup);
    }

    /** Bytes of the values of a column in a row group, as the footer has it. */
    public static long unpackedBytes(Path shard, ParquetGuard guard, int rowGroup, String partField)
            throws IOException {
        return guard.read(
                shard,
                (file, progress) -> {
                    ParquetField field = UnpackedColumn.field(shard, file, partField);
                    long bytes = 0;
                    for (ColumnChunk chunk :
                            file.getFileMetaData().rowGroups().get(rowGroup).columns()) {
                        List<String> path = chunk.metaData().pathInSchema().elements();
                        if (path.size() >= field.path().size()
                                && path.subList(0, field.path().size()).equals(field.path())) {
                            bytes += chunk.metaData().totalUncompressedSize();
                        }
                    }
                    return bytes;
                });
    }
}
