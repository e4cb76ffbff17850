package io.headrace.sources.stores;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Bytes of known length, read at any place. Thread-safe. */
public interface ByteSource {

    /** What errors call it: a path. */
    String name();

    long lengthBytes() throws IOException;

    /**
     * Reads into {@code into} from its start.
     *
     * @return bytes read: less than {@code into} holds only at the end of the source
     */
    int read(long offsetBytes, MemorySegment into) throws IOException;

    /** Reads exactly as much as {@code into} holds. */
    default void readFully(long offsetBytes, MemorySegment into) throws IOException {
        int read = read(offsetBytes, into);
        if (read < into.byteSize()) {
            throw new EOFException(
                    "%s ends at %d; %d bytes are wanted at offset %d"
                            .formatted(name(), offsetBytes + read, into.byteSize(), offsetBytes));
        }
    }
}
