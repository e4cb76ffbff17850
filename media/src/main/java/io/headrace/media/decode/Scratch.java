package io.headrace.media.decode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that only grows, aligned to a cache line. What was in it is lost when it grows. Some bytes behind the wished length
 * may be read and written, so that kernels may move four bytes where three count. Owned by one thread at a time.
 */
@SuppressWarnings("MustBeClosed")
final class Scratch implements AutoCloseable {
    private static final long ALIGNMENT_BYTES = 64;
    private static final long SLACK_BYTES = 64;
    private static final long GRAIN_BYTES = 1 << 16;

    private Arena arena = Arena.ofShared();
    private MemorySegment segment = MemorySegment.NULL;

    /** Memory of at least this many bytes; the same as before where it is large enough. */
    MemorySegment atLeast(long bytes) {
        long needed = bytes + SLACK_BYTES;
        if (segment.byteSize() < needed) {
            long grown = needed + needed / 8;
            arena.close();
            arena = Arena.ofShared();
            segment =
                    arena.allocate(
                            (grown + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES, ALIGNMENT_BYTES);
        }
        return segment;
    }

    @Override
    public void close() {
        arena.close();
    }
}
