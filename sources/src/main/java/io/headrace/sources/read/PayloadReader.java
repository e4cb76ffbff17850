package io.headrace.sources.read;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Gives the encoded bytes of a part. Thread-safe; any order of locations. */
public interface PayloadReader {

    /**
     * Reads a payload.
     *
     * @param buffer owned by the calling thread; the bytes lie in it and hold until its next use
     * @throws BadPayload if this payload cannot be used, such as a file that is gone
     * @throws ShardChanged if the shard is not the one that was indexed: the job stops
     * @throws IOException if reading fails
     */
    MemorySegment read(Location location, PayloadBuffer buffer)
            throws IOException, BadPayload, InterruptedException;
}
