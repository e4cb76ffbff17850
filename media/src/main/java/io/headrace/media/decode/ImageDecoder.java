package io.headrace.media.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.decode.raster.BmpDecoder;
import io.headrace.media.decode.raster.GifDecoder;
import io.headrace.media.decode.raster.PngDecoder;
import io.headrace.media.decode.raster.TiffDecoder;
import io.headrace.media.probe.ByteView;
import io.headrace.media.probe.ImageHeader;
import io.headrace.media.probe.ImageProbe;
import io.headrace.media.probe.TiffHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Decodes pictures of every format to packed RGB. Owns native decoders and memory that grows to the largest picture seen and is reused
 * for the next. One decode thread has one; it may be handed to another thread between pictures, never used by two at once.
 */
public final class ImageDecoder implements AutoCloseable {
    private final ImageProbe probe = new ImageProbe();
    private final Scratch input = new Scratch();
    private final Scratch stored = new Scratch();
    private final Scratch upright = new Scratch();
    private final WebpDecoder webp = new WebpDecoder();
    private @Nullable JpegDecoder jpeg;
    private @Nullable PngDecoder png;

    /**
     * Decodes one picture; what is returned holds until the next call.
     *
     * @param encoded the whole payload; decoded in place if it is native memory, such as a mapped file
     * @throws BadPayload if it is broken, of an unknown kind or has more pixels than the options allow; nothing of it is shown
     */
    public Picture decode(MemorySegment encoded, DecodeOptions options) throws BadPayload {
        ImageHeader header = header(encoded);
        refuseAbove(options.maxImagePixels(), header);
        int divisor = header.codec() == Codec.JPEG ? JpegDecoder.divisor(header, options) : 1;
        int width = JpegDecoder.reduced(header.width(), divisor);
        int height = JpegDecoder.reduced(header.height(), divisor);
        long bytes = 3L * width * height;
        Orientation orientation =
                options.applyOrientation() ? header.orientation() : Orientation.UPRIGHT;
        boolean bottomUp = header.codec() == Codec.JPEG && orientation == Orientation.FLIPPED;
        boolean turns = orientation != Orientation.UPRIGHT && !bottomUp;

        MemorySegment first = (turns ? stored : upright).atLeast(bytes);
        if (header.codec() == Codec.JPEG) {
            jpeg().decode(inNative(encoded), header, first, width, height, bottomUp);
        } else {
            decodeWhole(encoded, header, options.alpha() == Alpha.WHITE, first);
        }
        if (!turns) {
            return new Picture(first.asSlice(0, bytes), width, height);
        }
        MemorySegment turned = upright.atLeast(bytes);
        Upright.turn(first, 3 * width, width, height, orientation, turned);
        boolean swaps = orientation.swapsSides();
        return new Picture(
                turned.asSlice(0, bytes), swaps ? height : width, swaps ? width : height);
    }

    /** Formats that are never reduced. A parser that reads past the end of the payload finds it cut. */
    private void decodeWhole(
            MemorySegment encoded, ImageHeader header, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        int width = header.width();
        int height = header.height();
        try {
            switch (header.codec()) {
                case PNG -> png().decode(encoded, width, height, onWhite, rgb);
                case WEBP -> webp.decode(encoded, header, onWhite, rgb);
                case GIF -> GifDecoder.decode(encoded, width, height, onWhite, rgb);
                case BMP -> BmpDecoder.decode(encoded, width, height, onWhite, rgb);
                case TIFF -> tiff(encoded, header, onWhite, rgb);
                case AVIF -> AvifDecoder.decode(encoded, header, onWhite, rgb);
                default ->
                        throw new BadPayload(
                                Reason.UNSUPPORTED, "No decoder for " + header.codec(), 0);
            }
        } catch (IndexOutOfBoundsException e) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "%s of %d bytes points beyond its end"
                            .formatted(header.codec(), encoded.byteSize()),
                    encoded.byteSize());
        }
    }

    /** A TIFF is upright whatever the options say, as every reader has it. */
    private void tiff(MemorySegment encoded, ImageHeader header, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        Orientation turned;
        try {
            turned = TiffHeader.orientation(ByteView.of(encoded));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory cannot be read", e);
        }
        int width = turned.swapsSides() ? header.height() : header.width();
        int height = turned.swapsSides() ? header.width() : header.height();
        if (turned == Orientation.UPRIGHT) {
            TiffDecoder.decode(encoded, width, height, onWhite, rgb);
            return;
        }
        MemorySegment rows = stored.atLeast(3L * width * height);
        TiffDecoder.decode(encoded, width, height, onWhite, rows);
        Upright.turn(rows, 3 * width, width, height, turned, rgb);
    }

    private ImageHeader header(MemorySegment encoded) throws BadPayload {
        try {
            return probe.header(ByteView.of(encoded));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory cannot be read", e);
        }
    }

    private static void refuseAbove(long maxImagePixels, ImageHeader header) throws BadPayload {
        if (header.pixels() > maxImagePixels) {
            throw new BadPayload(
                    Reason.TOO_MANY_PIXELS,
                    "Picture of %d x %d = %d pixels; max_image_pixels is %d"
                            .formatted(
                                    header.width(),
                                    header.height(),
                                    header.pixels(),
                                    maxImagePixels),
                    0);
        }
    }

    private MemorySegment inNative(MemorySegment encoded) {
        if (encoded.isNative()) {
            return encoded;
        }
        MemorySegment copy = input.atLeast(encoded.byteSize()).asSlice(0, encoded.byteSize());
        copy.copyFrom(encoded);
        return copy;
    }

    private JpegDecoder jpeg() {
        JpegDecoder decoder = jpeg;
        if (decoder == null) {
            if (NativeLibraries.turboJpeg().isEmpty()) {
                throw new IllegalStateException(
                        "No TurboJPEG library: install libturbojpeg or name one with -Dheadrace.turbojpeg=/path/to/libturbojpeg.so.0");
            }
            decoder = new JpegDecoder();
            jpeg = decoder;
        }
        return decoder;
    }

    private PngDecoder png() {
        PngDecoder decoder = png;
        if (decoder == null) {
            decoder = new PngDecoder();
            png = decoder;
        }
        return decoder;
    }

    @Override
    public void close() {
        PngDecoder pngDecoder = png;
        if (pngDecoder != null) {
            pngDecoder.close();
            png = null;
        }
        JpegDecoder decoder = jpeg;
        if (decoder != null) {
            decoder.close();
            jpeg = null;
        }
        input.close();
        stored.close();
        upright.close();
    }
}
