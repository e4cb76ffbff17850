package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks the bytes of one strip or tile of a TIFF: stored as they are, LZW, Deflate or PackBits. */
final class TiffBlocks {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int MOST_CODES = 4096;

    private TiffBlocks() {}

    /** Whether {@link #unpack} knows the compression. */
    static boolean knows(int compression) {
        return switch (compression) {
            case 1, 5, 8, 32946, 32773 -> true;
            default -> false;
        };
    }

    /** Fills {@code out} wholly or fails. */
    static void unpack(int compression, MemorySegment packed, byte[] out) throws BadPayload {
        switch (compression) {
            case 1 -> stored(packed, out);
            case 5 -> lzw(packed, out);
            case 8, 32946 -> deflate(packed, out);
            case 32773 -> packBits(packed, out);
            default ->
                    throw new BadPayload(
                            Reason.UNSUPPORTED, "TIFF with compression " + compression);
        }
    }

    private static BadPayload cut(int done, int wanted) {
        return new BadPayload(
                Reason.TRUNCATED, "TIFF block gives %d of %d bytes".formatted(done, wanted));
    }

    private static void stored(MemorySegment packed, byte[] out) throws BadPayload {
        if (packed.byteSize() < out.length) {
            throw cut((int) packed.byteSize(), out.length);
        }
        MemorySegment.copy(packed, ValueLayout.JAVA_BYTE, 0, out, 0, out.length);
    }

    private static void deflate(MemorySegment packed, byte[] out) throws BadPayload {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed.asByteBuffer());
            int done = 0;
            int count;
            while (done < out.length
                    && (count = inflater.inflate(out, done, out.length - done)) > 0) {
                done += count;
            }
            if (done < out.length) {
                throw cut(done, out.length);
            }
        } catch (DataFormatException e) {
            throw new BadPayload(
                    Reason.CORRUPT, "TIFF with broken deflate data: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    private static void packBits(MemorySegment packed, byte[] out) throws BadPayload {
        long at = 0;
        int done = 0;
        while (done < out.length) {
            if (at >= packed.byteSize()) {
                throw cut(done, out.length);
            }
            int head = packed.get(ValueLayout.JAVA_BYTE, at++);
            if (head == -128) {
                continue;
            }
            int count = Math.min(head >= 0 ? head + 1 : 1 - head, out.length - done);
            if (at + (head >= 0 ? count : 1) > packed.byteSize()) {
                throw cut(done, out.length);
            }
            for (int i = 0; i < count; i++) {
                out[done++] = packed.get(ValueLayout.JAVA_BYTE, head >= 0 ? at + i : at);
            }
            at += head >= 0 ? count : 1;
        }
    }

    /** LZW with the highest bit first, whose codes grow one early (TIFF 6.0, section 13). */
    private static void lzw(MemorySegment packed, byte[] out) throws BadPayload {
        int[] start = new int[MOST_CODES];
        int[] length = new int[MOST_CODES];
        int next = END + 1;
        int bits = 9;
        int last = -1;
        int done = 0;
        long bit = 0;
        while (done < out.length) {
            if (bit + bits > 8 * packed.byteSize()) {
                throw cut(done, out.length);
            }
            int code = code(packed, bit, bits);
            bit += bits;
            if (code == CLEAR) {
                next = END + 1;
                bits = 9;
                last = -1;
                continue;
            }
            if (code == END) {
                throw cut(done, out.length);
            }
            if (code > next || (code >= END && last < 0) || (code == next && next >= MOST_CODES)) {
                throw new BadPayload(Reason.CORRUPT, "TIFF with an unknown LZW code");
            }
            int begin = done;
            int lastLength = last < 0 ? 0 : last < CLEAR ? 1 : length[last];
            int previous = begin - lastLength;
            if (code < CLEAR) {
                out[done++] = (byte) code;
            } else {
                int from = code == next ? previous : start[code];
                int count = code == next ? lastLength + 1 : length[code];
                for (int i = 0; i < count && done < out.length; i++) {
                    out[done++] = out[from + i];
                }
            }
            if (last >= 0 && next < MOST_CODES) {
                // The new entry is the last one and the byte that follows it, as they stand in the
                // output.
                start[next] = previous;
                length[next] = lastLength + 1;
                next++;
                if (next >= (1 << bits) - 1 && bits < 12) {
                    bits++;
                }
            }
            last = code;
        }
    }

    private static int code(MemorySegment packed, long bit, int bits) {
        long at = bit >> 3;
        int value = 0;
        for (int i = 0; i < 3; i++) {
            int next =
                    at + i < packed.byteSize()
                            ? packed.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF
                            : 0;
            value = value << 8 | next;
        }
        return (value >> (24 - bits - (int) (bit & 7))) & ((1 << bits) - 1);
    }
}
