package io.headrace.sources.formats;

import java.io.IOException;

/** The encoded bytes of a part while its shard is scanned: no more of them is read than is asked for. Not thread-safe. */
public interface Payload {

    /** Length of the whole payload. */
    long lengthBytes();

    /**
     * Copies up to {@code length} bytes from an offset of the payload on into {@code target}, from its start.
     *
     * @return bytes copied: fewer than {@code length} only at the end of the payload
     */
    int read(long offsetBytes, byte[] target, int length) throws IOException;
}
