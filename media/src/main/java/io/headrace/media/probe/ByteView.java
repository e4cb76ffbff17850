package io.headrace.media.probe;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Random access to the bytes of one payload, wherever they lie: mapped, in a tar member, behind a range request. */
public interface ByteView {

    /** Length of the payload in bytes. */
    long lengthBytes();

    /**
     * Copies up to {@code length} bytes from {@code offsetBytes} on into {@code target} from its start, and returns how many there
     * were; fewer only at the end of the payload.
     */
    int read(long offsetBytes, byte[] target, int length) throws IOException;

    /** The bytes of an array. */
    static ByteView of(byte[] payload) {
        return of(MemorySegment.ofArray(payload));
    }

    /** The bytes of a segment, mapped or not. */
    static ByteView of(MemorySegment payload) {
        return new SegmentView(payload);
    }

    /** Bytes that are in memory already. */
    record SegmentView(MemorySegment payload) implements ByteView {
        @Override
        public long lengthBytes() {
            return payload.byteSize();
        }

        @Override
        public int read(long offsetBytes, byte[] target, int length) {
            int count = (int) Math.max(0, Math.min(length, payload.byteSize() - offsetBytes));
            if (count > 0) {
                MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, offsetBytes, target, 0, count);
            }
            return count;
        }
    }
}
