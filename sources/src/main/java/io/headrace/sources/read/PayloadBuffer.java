package io.headrace.sources.read;

import io.headrace.engine.descriptor.BadPayload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory that holds one payload at a time and grows as needed up to a limit. Owned by one thread. */
public final class PayloadBuffer {

    private static final int FIRST_BYTES = 1 << 18;

    private final long limitBytes;
    private MemorySegment memory = MemorySegment.NULL;

    /**
     * @param limitBytes larger payloads are refused
     */
    public PayloadBuffer(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Memory of exactly this size; it holds until the next call. */
    MemorySegment of(long bytes) throws BadPayload {
        if (bytes > limitBytes) {
            throw new BadPayload(
                    BadPayload.Reason.TOO_LONG,
                    "payload of %d bytes, the limit is %d".formatted(bytes, limitBytes));
        }
        if (memory.byteSize() < bytes) {
            long grown = Math.max(Math.max(FIRST_BYTES, bytes), 2 * memory.byteSize());
            memory = Arena.ofAuto().allocate(Math.min(grown, Math.max(limitBytes, bytes)), 64);
        }
        return memory.asSlice(0, bytes);
    }
}
