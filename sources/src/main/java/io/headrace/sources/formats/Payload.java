package io.headrace.sources.formats;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The encoded bytes of a part while its shard is scanned: no more of them is read than is asked for. */
public interface Payload {

    /** Length of the whole payload. */
    long lengthBytes();

    /**
     * The first bytes of the payload, or all of it if it is shorter. They hold until the next call on any payload of the same scan.
     */
    MemorySegment head(long bytes) throws IOException;
}
