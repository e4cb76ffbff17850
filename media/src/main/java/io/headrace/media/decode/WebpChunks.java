package io.headrace.media.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Where the first picture of a WebP lies.
 *
 * @param chunks its ALPH, if any, and its VP8 or VP8L chunk, with their headers
 * @param left column of the canvas at which it begins; 0 in a file that does not move
 * @param top row of the canvas
 * @param width of the picture
 * @param height of the picture
 */
record WebpChunks(
        MemorySegment chunks, boolean hasAlpha, int left, int top, int width, int height) {
    private static final int HEADER_BYTES = 8;
    private static final int FRAME_BYTES = 16;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    /** Finds the first picture; the canvas is what the header says. */
    static WebpChunks find(MemorySegment webp, int canvasWidth, int canvasHeight)
            throws BadPayload {
        long end = Math.min(webp.byteSize(), HEADER_BYTES + (webp.get(INT, 4) & 0xFFFFFFFFL));
        for (long at = 12; at + HEADER_BYTES <= end; at = after(webp, at)) {
            String type = type(webp, at);
            if (type.equals("ANMF")) {
                return frame(webp, at);
            }
            if (type.equals("ALPH") || type.startsWith("VP8 ") || type.equals("VP8L")) {
                return new WebpChunks(
                        bitstream(webp, at, end),
                        type.equals("ALPH"),
                        0,
                        0,
                        canvasWidth,
                        canvasHeight);
            }
        }
        throw new BadPayload(
                Reason.TRUNCATED,
                "WebP of %d bytes without a picture".formatted(webp.byteSize()),
                webp.byteSize());
    }

    private static WebpChunks frame(MemorySegment webp, long at) throws BadPayload {
        long end = after(webp, at);
        long data = at + HEADER_BYTES;
        if (end - data < FRAME_BYTES + HEADER_BYTES) {
            throw new BadPayload(Reason.CORRUPT, "WebP frame without a picture", at);
        }
        return new WebpChunks(
                bitstream(webp, data + FRAME_BYTES, end),
                type(webp, data + FRAME_BYTES).equals("ALPH"),
                2 * (webp.get(INT, data) & 0xFFFFFF),
                2 * (webp.get(INT, data + 3) & 0xFFFFFF),
                (webp.get(INT, data + 6) & 0xFFFFFF) + 1,
                (webp.get(INT, data + 9) & 0xFFFFFF) + 1);
    }

    /** From an ALPH or VP8 chunk to the end of the VP8 chunk. */
    private static MemorySegment bitstream(MemorySegment webp, long from, long end)
            throws BadPayload {
        long at = from;
        while (at + HEADER_BYTES <= end) {
            boolean last = type(webp, at).startsWith("VP8");
            at = after(webp, at);
            if (last) {
                return webp.asSlice(from, Math.min(at, webp.byteSize()) - from);
            }
        }
        throw new BadPayload(Reason.CORRUPT, "WebP with alpha and no picture", from);
    }

    private static String type(MemorySegment webp, long at) {
        byte[] type = webp.asSlice(at, 4).toArray(ValueLayout.JAVA_BYTE);
        return new String(type, StandardCharsets.ISO_8859_1);
    }

    /** The offset behind a chunk and its padding. */
    private static long after(MemorySegment webp, long at) throws BadPayload {
        long length = webp.get(INT, at + 4) & 0xFFFFFFFFL;
        if (length > webp.byteSize() - at - HEADER_BYTES) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "WebP of %d bytes ends in the chunk at byte %d".formatted(webp.byteSize(), at),
                    webp.byteSize());
        }
        return at + HEADER_BYTES + length + (length & 1);
    }
}
