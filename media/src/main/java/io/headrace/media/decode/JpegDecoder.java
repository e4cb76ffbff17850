package io.headrace.media.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes JPEG with libjpeg-turbo: accurate integer DCT and fancy upsampling, which are TurboJPEG's defaults. Owns one decompressor
 * and the memory of CMYK pictures; used by one thread at a time.
 */
final class JpegDecoder implements AutoCloseable {
    private static final int LEAST_SCALE = 8;
    private static final String PREMATURE_END = "Premature end of JPEG file";

    private final long handle = TurboJpeg.create();
    private final Scratch cmyk = new Scratch();
    private final Scratch sizes = new Scratch();

    /** The largest divisor of the size, 1, 2, 4 or 8, that keeps an upright picture at or above the wished size. */
    static int divisor(ImageHeader header, DecodeOptions options) {
        boolean swaps = options.applyOrientation() && header.orientation().swapsSides();
        int leastWidth = swaps ? options.atLeastHeight() : options.atLeastWidth();
        int leastHeight = swaps ? options.atLeastWidth() : options.atLeastHeight();
        int divisor = options.mayReduce() ? LEAST_SCALE : 1;
        while (divisor > 1
                && (reduced(header.width(), divisor) < leastWidth
                        || reduced(header.height(), divisor) < leastHeight)) {
            divisor /= 2;
        }
        return divisor;
    }

    /** A side in pixels at a DCT scale. */
    static int reduced(int side, int divisor) {
        return (side + divisor - 1) / divisor;
    }

    /**
     * Writes packed RGB rows, the last first if {@code bottomUp}.
     *
     * @param encoded native memory
     * @param width of the result: the stored width over the divisor
     * @param height of the result
     */
    void decode(
            MemorySegment encoded,
            ImageHeader header,
            MemorySegment rgb,
            int width,
            int height,
            boolean bottomUp)
            throws BadPayload {
        checkSize(encoded, header);
        int flags = bottomUp ? TurboJpeg.FLAG_BOTTOM_UP : 0;
        if (header.channels() == 4) {
            long pixels = (long) width * height;
            MemorySegment inks = cmyk.atLeast(4 * pixels);
            decompress(encoded, inks, width, height, TurboJpeg.PIXELS_CMYK, flags);
            Cmyk.toRgb(inks, rgb, pixels);
        } else {
            decompress(encoded, rgb, width, height, TurboJpeg.PIXELS_RGB, flags);
        }
    }

    /** Makes sure that the library sees the size for which memory was taken. */
    private void checkSize(MemorySegment encoded, ImageHeader header) throws BadPayload {
        MemorySegment seen = sizes.atLeast(16);
        seen.asSlice(0, 16).fill((byte) 0);
        int result = TurboJpeg.header(handle, encoded, seen.address());
        int width = seen.get(ValueLayout.JAVA_INT, 0);
        int height = seen.get(ValueLayout.JAVA_INT, 4);
        if (width == header.width() && height == header.height()) {
            return;
        }
        if (result != 0) {
            throw error(encoded);
        }
        throw new BadPayload(
                Reason.CORRUPT,
                "JPEG of %d x %d by its first frame header, %d x %d to the decoder"
                        .formatted(header.width(), header.height(), width, height));
    }

    private void decompress(
            MemorySegment encoded, MemorySegment out, int width, int height, int pixels, int flags)
            throws BadPayload {
        int result =
                TurboJpeg.decompress(handle, encoded, out.address(), width, height, pixels, flags);
        if (result == 0) {
            return;
        }
        if (TurboJpeg.errorCode(handle) != TurboJpeg.ERROR_WARNING
                || TurboJpeg.errorText(handle).contains(PREMATURE_END)
                || !JpegEnd.isReached(encoded)) {
            throw error(encoded);
        }
    }

    private BadPayload error(MemorySegment encoded) {
        String text = TurboJpeg.errorText(handle);
        boolean cut = text.contains(PREMATURE_END) || !JpegEnd.isReached(encoded);
        Reason reason =
                cut
                        ? Reason.TRUNCATED
                        : text.contains("nsupported") ? Reason.UNSUPPORTED : Reason.CORRUPT;
        return new BadPayload(
                reason,
                "JPEG of %d bytes: %s".formatted(encoded.byteSize(), text),
                cut ? encoded.byteSize() : -1);
    }

    @Override
    public void close() {
        TurboJpeg.destroy(handle);
        cmyk.close();
        sizes.close();
    }
}
