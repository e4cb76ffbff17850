package io.headrace.sources.formats.tar;

import io.headrace.sources.stores.ByteSource;
import java.lang.foreign.MemorySegment;

/** Bytes in memory that count how often and how much is read. */
final class CountingSource implements ByteSource {

    private final byte[] bytes;
    private int reads;
    private long readBytes;

    CountingSource(byte[] bytes) {
        this.bytes = bytes;
    }

    int reads() {
        return reads;
    }

    long readBytes() {
        return readBytes;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public long lengthBytes() {
        return bytes.length;
    }

    @Override
    public int read(long offsetBytes, MemorySegment into) {
        int count = (int) Math.min(into.byteSize(), Math.max(0, bytes.length - offsetBytes));
        MemorySegment.copy(
                MemorySegment.ofArray(bytes), Math.min(offsetBytes, bytes.length), into, 0, count);
        reads++;
        readBytes += count;
        return count;
    }
}
