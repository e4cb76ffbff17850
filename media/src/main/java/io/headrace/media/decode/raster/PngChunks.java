package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one PNG: palette and transparency, then the inflated bytes of its first picture. Every chunk up to the last one of the
 * pixels must be whole and have its right CRC; those after it are not looked at.
 */
final class PngChunks {
    private static final int PLTE = 0x504C5445;
    private static final int TRNS = 0x74524E53;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454E44;
    private static final int MOST_PALETTE_BYTES = 768;
    private static final int FRAME_BYTES = 12;
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment png;
    private final Inflater inflater;
    private final CRC32 crc = new CRC32();
    private long at = 8;
    private byte[] palette = new byte[0];
    private byte @Nullable [] transparency;

    private PngChunks(MemorySegment png, Inflater inflater) {
        this.png = png;
        this.inflater = inflater;
    }

    /** Reads up to the first chunk of pixels. The inflater is reset and belongs to the chunks until the picture is done. */
    static PngChunks open(MemorySegment png, Inflater inflater) throws BadPayload {
        inflater.reset();
        PngChunks chunks = new PngChunks(png, inflater);
        chunks.head();
        return chunks;
    }

    /** Red, green and blue of the palette's entries. */
    byte[] palette() {
        return palette;
    }

    /** The content of tRNS; null if there is none. */
    byte @Nullable [] transparency() {
        return transparency;
    }

    private void head() throws BadPayload {
        while (type() != IDAT) {
            int type = type();
            MemorySegment content = take();
            switch (type) {
                case PLTE -> palette = bytes(content, MOST_PALETTE_BYTES);
                case TRNS -> transparency = bytes(content, 256);
                case IEND -> throw new BadPayload(Reason.CORRUPT, "PNG without pixels", at);
                default -> {}
            }
        }
    }

    private int type() throws BadPayload {
        if (at > png.byteSize() - FRAME_BYTES) {
            throw cut();
        }
        return png.get(INT, at + 4);
    }

    /** The content of the chunk at hand, checked; the next one is at hand then. */
    private MemorySegment take() throws BadPayload {
        long length = png.get(INT, at) & 0xFFFFFFFFL;
        if (length > png.byteSize() - at - FRAME_BYTES) {
            throw cut();
        }
        crc.reset();
        crc.update(png.asSlice(at + 4, length + 4).asByteBuffer());
        if ((int) crc.getValue() != png.get(INT, at + 8 + length)) {
            throw new BadPayload(Reason.CORRUPT, "PNG chunk with a wrong CRC", at);
        }
        MemorySegment content = png.asSlice(at + 8, length);
        at += FRAME_BYTES + length;
        return content;
    }

    private static byte[] bytes(MemorySegment content, int most) {
        return content.asSlice(0, Math.min(content.byteSize(), most))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /** Fills part of an array with the next inflated bytes. */
    void inflate(byte[] target, int from, int length) throws BadPayload {
        int done = 0;
        try {
            while (done < length) {
                int count = inflater.inflate(target, from + done, length - done);
                done += count;
                if (count == 0) {
                    more();
                }
            }
        } catch (DataFormatException e) {
            throw new BadPayload(
                    Reason.CORRUPT, "PNG with broken deflate data: " + e.getMessage(), at);
        }
    }

    private void more() throws BadPayload {
        if (inflater.finished()) {
            throw new BadPayload(Reason.TRUNCATED, "PNG whose deflate data end early", at);
        }
        if (inflater.needsDictionary() || !inflater.needsInput()) {
            throw new BadPayload(Reason.CORRUPT, "PNG whose deflate data need a dictionary", at);
        }
        if (type() != IDAT) {
            throw new BadPayload(Reason.TRUNCATED, "PNG whose pixel chunks end early", at);
        }
        inflater.setInput(take().asByteBuffer());
    }

    private BadPayload cut() {
        return new BadPayload(
                Reason.TRUNCATED,
                "PNG of %d bytes ends in the chunk at byte %d".formatted(png.byteSize(), at),
                png.byteSize());
    }
}
