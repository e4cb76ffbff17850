package io.headrace.engine.index;

import java.io.IOException;

/** Copies the samples of one shard from an index to a writer; what points into other columns is moved. */
final class IndexCopy {

    private final SampleIndex from;
    private final IndexWriter to;

    IndexCopy(SampleIndex from, IndexWriter to) {
        this.from = from;
        this.to = to;
    }

    /**
     * @param partsBefore parts that the writer holds
     * @return parts copied
     */
    long copy(int shard, long partsBefore) throws IOException {
        long firstSample = from.firstSample(shard);
        long endSample = from.firstSample(shard + 1);
        long firstPart = from.firstPart(firstSample);
        long endPart = from.firstPart(endSample);
        for (long sample = firstSample; sample < endSample; sample++) {
            to.beginSample(from.keyBytes(sample), from.firstPart(sample) - firstPart + partsBefore);
        }
        copyPlaces(firstPart, endPart);
        copyFields(firstPart, endPart);
        SpillColumn shards = to.column(Column.PART_SHARD);
        for (long part = firstPart; part < endPart; part++) {
            shards.putInt(to.currentShard());
        }
        for (Column column :
                new Column[] {
                    Column.PART_LENGTH,
                    Column.PART_WIDTH,
                    Column.PART_HEIGHT,
                    Column.PART_TOKENS,
                    Column.PART_PATH_LENGTH,
                    Column.PART_LOCATION,
                    Column.PART_ORIENTATION,
                    Column.PART_EXACT
                }) {
            to.column(column).putBytes(from.rows(column, firstPart, endPart));
        }
        copyCodecs(firstPart, endPart);
        copyTimed(firstPart, endPart);
        return endPart - firstPart;
    }

    private void copyPlaces(long firstPart, long endPart) throws IOException {
        SpillColumn places = to.column(Column.PART_PLACE);
        SpillColumn paths = to.column(Column.PATH_BYTES);
        for (long part = firstPart; part < endPart; part++) {
            if (from.locationKind(part) == LocationKind.FILE) {
                places.putLong(paths.bytes());
                paths.putBytes(from.pathBytes(part));
            } else {
                places.putLong(from.place(part));
            }
        }
    }

    private void copyFields(long firstPart, long endPart) throws IOException {
        int[] numbers = new int[from.fields().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = to.fieldNumber(from.fields().get(i));
        }
        SpillColumn fields = to.column(Column.PART_FIELD);
        for (long part = firstPart; part < endPart; part++) {
            fields.putShort(numbers[from.field(part)]);
        }
    }

    /** The rows of the parts with a duration follow each other as the parts do. */
    private void copyTimed(long firstPart, long endPart) throws IOException {
        SpillColumn timed = to.column(Column.PART_TIMED);
        int next = to.timedRows();
        int first = SampleIndex.UNTIMED;
        int rows = 0;
        for (long part = firstPart; part < endPart; part++) {
            int row = from.timed(part);
            timed.putInt(row == SampleIndex.UNTIMED ? row : next + rows);
            if (row != SampleIndex.UNTIMED) {
                first = rows == 0 ? row : first;
                rows++;
            }
        }
        if (rows > 0) {
            for (Column column :
                    new Column[] {
                        Column.TIMED_UNITS,
                        Column.TIMED_SECONDS,
                        Column.TIMED_KEYS_OR_RATE,
                        Column.TIMED_CHANNELS
                    }) {
                to.column(column).putBytes(from.rows(column, first, (long) first + rows));
            }
        }
    }

    private void copyCodecs(long firstPart, long endPart) throws IOException {
        SpillColumn codecs = to.column(Column.PART_CODEC);
        for (long part = firstPart; part < endPart; part++) {
            codecs.putByte(IndexMetadata.codecNumber(from.codec(part)));
        }
    }
}
