package io.headrace.engine.index;

import io.headrace.engine.unit.Dtype;

/**
 * The columns of an index, in the order in which they lie in its file: by falling element size, so that each is aligned. Columns of
 * offsets hold one more element than there are rows; the last is the length of what they point into.
 */
enum Column {
    /** Per sample: first byte of its key. */
    KEY_OFFSETS("key_offsets", Dtype.INT64),
    /** Per sample: its first part. */
    PART_OFFSETS("part_offsets", Dtype.INT64),
    /** Per part: first byte in the shard, row of a Parquet shard, or first byte of a path in {@link #PATH_BYTES}. */
    PART_PLACE("part_place", Dtype.INT64),
    /** Per part: payload bytes; -1 where only reading tells. */
    PART_LENGTH("part_length_bytes", Dtype.INT64),
    /** Per shard: first byte of its path. */
    SHARD_PATH_OFFSETS("shard_path_offsets", Dtype.INT64),
    /** Per shard: size of the file. */
    SHARD_BYTES("shard_bytes", Dtype.INT64),
    /** Per shard: time of the last change, in nanoseconds since 1970. */
    SHARD_MODIFIED("shard_modified_nanos", Dtype.INT64),
    /** Per shard: bytes after decompression of the whole file; the size of the file where it is not compressed. */
    SHARD_UNPACKED("shard_unpacked_bytes", Dtype.INT64),
    /** Per shard: its first sample. */
    SHARD_SAMPLES("shard_sample_offsets", Dtype.INT64),
    /** Per part with a duration: frames of a video, samples of one channel of an audio. */
    TIMED_UNITS("timed_units", Dtype.INT64),
    /** Per part with a duration: seconds. */
    TIMED_SECONDS("timed_seconds", Dtype.FLOAT64),
    PART_SHARD("part_shard", Dtype.INT32),
    /** Per part: width in pixels; 0 for text and audio. */
    PART_WIDTH("part_width", Dtype.INT32),
    /** Per part: height in pixels; 0 for text and audio. */
    PART_HEIGHT("part_height", Dtype.INT32),
    /** Per part: tokens of a text; 0 for media. */
    PART_TOKENS("part_tokens", Dtype.INT32),
    /** Per part: bytes of the path of a file of its own; 0 for other locations. */
    PART_PATH_LENGTH("part_path_bytes", Dtype.INT32),
    /** Per part: its row among the parts with a duration; -1 for pictures and texts. */
    PART_TIMED("part_timed", Dtype.INT32),
    /** Per part with a duration: key frames of a video, sample rate of an audio. */
    TIMED_KEYS_OR_RATE("timed_keys_or_rate", Dtype.INT32),
    /** Per part: index into the field names of the metadata. */
    PART_FIELD("part_field", Dtype.INT16),
    /** Per part: 0 byte range, 1 Parquet cell, 2 file of its own. */
    PART_LOCATION("part_location", Dtype.UINT8),
    /** Per part: index into the codec names of the metadata. */
    PART_CODEC("part_codec", Dtype.UINT8),
    /** Per part: orientation 1 to 8 as EXIF counts; 0 for text and audio. */
    PART_ORIENTATION("part_orientation", Dtype.UINT8),
    /** Per part: 1 where the tokens are counted by the tokenizer, 0 where estimated or no text. */
    PART_EXACT("part_exact", Dtype.UINT8),
    /** Per part with a duration: channels of an audio; 0 for a video. */
    TIMED_CHANNELS("timed_channels", Dtype.UINT8),
    KEY_BYTES("key_bytes", Dtype.UINT8),
    PATH_BYTES("path_bytes", Dtype.UINT8),
    SHARD_PATH_BYTES("shard_path_chars", Dtype.UINT8);

    private final String columnName;
    private final Dtype dtype;

    Column(String columnName, Dtype dtype) {
        this.columnName = columnName;
        this.dtype = dtype;
    }

    String columnName() {
        return columnName;
    }

    Dtype dtype() {
        return dtype;
    }
}
