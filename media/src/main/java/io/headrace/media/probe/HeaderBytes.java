package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.io.IOException;

/**
 * A window of 4 KiB that follows a parser through a payload. Each read past the end is TRUNCATED; the bytes read for one header are
 * bounded. Reused for many payloads by one thread.
 */
final class HeaderBytes {
    private static final int WINDOW_BYTES = 4096;

    /** Far above any real header that is walked by its segment lengths; the bound of hostile ones. */
    private static final int MOST_WINDOWS = 4096;

    private final byte[] window = new byte[WINDOW_BYTES];
    private ByteView view = ByteView.of(new byte[0]);
    private long startBytes;
    private int filledBytes;
    private int windows;

    /** Starts over with another payload. */
    void open(ByteView payload) throws BadPayload {
        view = payload;
        startBytes = 0;
        filledBytes = 0;
        windows = 0;
        if (payload.lengthBytes() == 0) {
            throw new BadPayload(Reason.EMPTY, "Payload of 0 bytes", 0);
        }
    }

    long lengthBytes() {
        return view.lengthBytes();
    }

    boolean has(long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= view.lengthBytes() - length;
    }

    int u8(long offset) throws BadPayload, IOException {
        if (offset < startBytes || offset >= startBytes + filledBytes) {
            fill(offset);
        }
        return window[(int) (offset - startBytes)] & 0xFF;
    }

    int u16(long offset, boolean bigEndian) throws BadPayload, IOException {
        int first = u8(offset);
        int second = u8(offset + 1);
        return bigEndian ? first << 8 | second : second << 8 | first;
    }

    long u32(long offset, boolean bigEndian) throws BadPayload, IOException {
        long first = u16(offset, bigEndian);
        long second = u16(offset + 2, bigEndian);
        return bigEndian ? first << 16 | second : second << 16 | first;
    }

    long u64(long offset, boolean bigEndian) throws BadPayload, IOException {
        long first = u32(offset, bigEndian);
        long second = u32(offset + 4, bigEndian);
        return bigEndian ? first << 32 | second : second << 32 | first;
    }

    /** Whether these ASCII characters stand at the offset; false past the end. */
    boolean matches(long offset, String ascii) throws BadPayload, IOException {
        if (!has(offset, ascii.length())) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (u8(offset + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Where these characters first stand at or after {@code from} and wholly before {@code end}; -1 if nowhere. */
    long find(String ascii, long from, long end) throws BadPayload, IOException {
        int first = ascii.charAt(0);
        for (long at = from; at <= end - ascii.length(); at++) {
            if (u8(at) == first && matches(at, ascii)) {
                return at;
            }
        }
        return -1;
    }

    private void fill(long offset) throws BadPayload, IOException {
        if (!has(offset, 1)) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "Header goes on at byte %d of %d".formatted(offset, view.lengthBytes()),
                    Math.min(Math.max(offset, 0), view.lengthBytes()));
        }
        if (++windows > MOST_WINDOWS) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Header is spread over more than %d places".formatted(MOST_WINDOWS),
                    offset);
        }
        filledBytes = view.read(offset, window, WINDOW_BYTES);
        startBytes = offset;
        if (filledBytes <= 0) {
            throw new BadPayload(Reason.TRUNCATED, "No byte at offset " + offset, offset);
        }
    }
}
