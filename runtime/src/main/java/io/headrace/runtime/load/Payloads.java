package io.headrace.runtime.load;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Location;
import io.headrace.sources.read.PayloadBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Encoded bytes by location: the way of payload from the Source Loaders, beside the actors' messages. Thread-safe. */
public interface Payloads {

    /**
     * The payload of a part.
     *
     * @param buffer owned by the calling thread; the bytes may lie in it and hold until its next use
     * @throws BadPayload if the sample is to be skipped
     * @throws IOException if the source cannot be read, after its retries; the message names the file
     */
    MemorySegment read(int source, Location location, PayloadBuffer buffer)
            throws BadPayload, IOException;
}
