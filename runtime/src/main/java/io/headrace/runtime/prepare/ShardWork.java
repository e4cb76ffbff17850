package io.headrace.runtime.prepare;

import io.headrace.engine.index.ShardEntry;
import java.nio.file.Path;

/**
 * A shard to be indexed.
 *
 * @param name as the index names it: relative to the recipe's folder where it lies below it
 */
record ShardWork(int number, String name, Path path, long sizeBytes, long modifiedNanos) {

    ShardEntry entry(long unpackedBytes) {
        return new ShardEntry(name, sizeBytes, modifiedNanos, unpackedBytes);
    }

    boolean isShard(ShardEntry entry) {
        return entry.path().equals(name) && entry.sameFile(sizeBytes, modifiedNanos);
    }
}
