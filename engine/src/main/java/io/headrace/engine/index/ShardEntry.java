package io.headrace.engine.index;

/**
 * One shard as it was when it was scanned. A shard whose size or time of change differs now is another shard.
 *
 * @param path as the recipe leads to it: absolute, or relative to the recipe's folder; {@code /} between names
 * @param modifiedNanos time of the last change in nanoseconds since 1970
 * @param unpackedBytes bytes after decompression of the whole file; {@code sizeBytes} where it is not compressed
 */
public record ShardEntry(String path, long sizeBytes, long modifiedNanos, long unpackedBytes) {

    /** Whether the file is still the one that was scanned. */
    public boolean sameFile(long sizeBytesNow, long modifiedNanosNow) {
        return sizeBytes == sizeBytesNow && modifiedNanos == modifiedNanosNow;
    }
}
