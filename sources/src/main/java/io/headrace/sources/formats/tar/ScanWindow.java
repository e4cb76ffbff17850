package io.headrace.sources.formats.tar;

import io.headrace.sources.formats.Payload;
import io.headrace.sources.stores.ByteSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads a shard in windows that move forward. Where what is asked for lies close together the windows are large and follow each other,
 * so that a disk reads in sequence; where it lies far apart they are small, so that what lies between is not read. Not thread-safe.
 */
final class ScanWindow {

    /** Headers closer than this are read in sequence: a seek costs a disk as much as this many bytes. */
    static final int NEAR_BYTES = 32 << 10;

    private static final int LARGE_BYTES = 256 << 10;

    /** A member's header, an extended one before it, and the 4 KiB in which most pictures tell their size. */
    private static final int SMALL_BYTES = 8 << 10;

    private final ByteSource source;
    private final long lengthBytes;
    private final MemorySegment buffer = Arena.ofAuto().allocate(LARGE_BYTES);
    private MemorySegment scratch = MemorySegment.NULL;
    private long start;
    private int filled;
    private long lastMark;
    private long stride = NEAR_BYTES / 2;

    ScanWindow(ByteSource source) throws IOException {
        this.source = source;
        this.lengthBytes = source.lengthBytes();
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Tells that a member begins here; the distance from the one before decides the size of the windows. */
    void mark(long offset) {
        stride += (offset - lastMark - stride) / 8;
        lastMark = offset;
    }

    /** Bytes from an offset on, fewer at the end of the source; they hold until the next call. */
    MemorySegment at(long offset, long bytes) throws IOException {
        long wanted = Math.min(bytes, lengthBytes - offset);
        if (wanted <= 0) {
            return MemorySegment.NULL;
        }
        if (offset >= start && offset + wanted <= start + filled) {
            return buffer.asSlice(offset - start, wanted);
        }
        int size = stride <= NEAR_BYTES ? LARGE_BYTES : SMALL_BYTES;
        if (wanted > size) {
            return apart(offset, wanted);
        }
        filled = source.read(offset, buffer.asSlice(0, Math.min(size, lengthBytes - offset)));
        start = offset;
        return buffer.asSlice(0, Math.min(wanted, filled));
    }

    private MemorySegment apart(long offset, long bytes) throws IOException {
        if (scratch.byteSize() < bytes) {
            scratch = Arena.ofAuto().allocate(Math.max(bytes, 2 * scratch.byteSize()));
        }
        int read = source.read(offset, scratch.asSlice(0, bytes));
        return scratch.asSlice(0, read);
    }

    /** A payload that begins at an offset. */
    Payload payload(long offset, long lengthBytes) {
        return new Payload() {
            @Override
            public long lengthBytes() {
                return lengthBytes;
            }

            @Override
            public int read(long at, byte[] target, int length) throws IOException {
                MemorySegment bytes =
                        ScanWindow.this.at(offset + at, Math.min(length, lengthBytes - at));
                int count = (int) bytes.byteSize();
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, target, 0, count);
                return count;
            }
        };
    }
}
