package io.headrace.engine.descriptor;

/** Where the encoded bytes of a part lie. Shards are numbered within their source. */
public sealed interface Location {

    /** Length of the payload in bytes; -1 where only reading tells (a compressed Parquet page). */
    long lengthBytes();

    /** A byte range of a shard: a tar member (of the uncompressed archive), a line of JSONL. */
    record Range(int shard, long offsetBytes, long lengthBytes) implements Location {
        public Range {
            if (shard < 0 || offsetBytes < 0 || lengthBytes < 0) {
                throw new IllegalArgumentException(
                        "Negative range: shard %d offset %d length %d"
                                .formatted(shard, offsetBytes, lengthBytes));
            }
        }
    }

    /** One value of a Parquet shard: a row and a column, the latter as an index into the source's field names. */
    record Cell(int shard, long row, int column, long lengthBytes) implements Location {}

    /** A file of its own, as in a folder or as named by a JSONL line; the path is relative to the shard's folder. */
    record File(int shard, String path, long lengthBytes) implements Location {}

    /** The shard that holds the part, or the list or folder that names it. */
    int shard();
}
