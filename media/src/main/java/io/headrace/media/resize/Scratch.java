package io.headrace.media.resize;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that a processor keeps from picture to picture: it grows and is never cleared. Addresses are aligned to cache lines, so
 * that no vector of a row that starts on one crosses a line. Owned by one processor, freed with it.
 */
public final class Scratch {
    /** Bytes of a cache line and of the longest vector. */
    public static final int LINE = 64;

    /**
     * All native memory. Kernels address scratch, pictures and outputs through it, so that the one bounds check left is that of a
     * constant; whoever calls a kernel has checked the sizes.
     */
    @SuppressWarnings("restricted")
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private MemorySegment segment = MemorySegment.NULL;

    /** Address of at least {@code bytes} bytes, plus one vector that kernels may read or write past the end. */
    public long address(long bytes) {
        if (segment.byteSize() < bytes + LINE) {
            segment = Arena.ofAuto().allocate(bytes + bytes / 4 + LINE, LINE);
        }
        return segment.address();
    }

    /** Rounded up to whole cache lines. */
    public static int lines(int bytes) {
        return (bytes + LINE - 1) / LINE * LINE;
    }
}
