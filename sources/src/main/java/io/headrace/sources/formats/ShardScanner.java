package io.headrace.sources.formats;

import java.io.IOException;

/** Reads one shard from its beginning to its end, headers only where the format allows. Used once, by one thread. */
public interface ShardScanner {

    /**
     * Gives all samples of the shard, in its order, with shard number 0 in their locations.
     *
     * @return bytes of the whole shard after decompression
     * @throws BadShard if nothing can be read
     */
    long scan(SampleSink sink) throws IOException;
}
