package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.io.IOException;
import java.util.HexFormat;

/**
 * Reads codec, size and orientation of a picture from its first bytes. Segments are skipped by their length, pixels are never decoded,
 * and every loop is bounded, so a hostile file costs no more than {@link HeaderBytes} allows. Not thread-safe; an instance is reused.
 */
public final class ImageProbe {
    private final HeaderBytes bytes = new HeaderBytes();

    /** The header of one payload; for many, keep an instance and call {@link #header}. */
    public static ImageHeader probe(ByteView payload) throws BadPayload, IOException {
        return new ImageProbe().header(payload);
    }

    /**
     * The header of the payload.
     *
     * @throws BadPayload if it is no picture of a known codec, or its header is broken; the reason and the offset tell
     */
    public ImageHeader header(ByteView payload) throws BadPayload, IOException {
        bytes.open(payload);
        ImageHeader header = dispatch();
        if (header.width() <= 0 || header.height() <= 0) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Picture of %d x %d pixels".formatted(header.width(), header.height()),
                    0);
        }
        return header;
    }

    private ImageHeader dispatch() throws BadPayload, IOException {
        if (bytes.matches(0, "\u00FF\u00D8\u00FF")) {
            return JpegHeader.read(bytes);
        }
        if (bytes.matches(0, "\u0089PNG\r\n\u001A\n")) {
            return PngHeader.read(bytes);
        }
        if (bytes.matches(0, "RIFF") && bytes.matches(8, "WEBP")) {
            return WebpHeader.read(bytes);
        }
        if (bytes.matches(0, "GIF87a") || bytes.matches(0, "GIF89a")) {
            return GifHeader.read(bytes);
        }
        if (TiffHeader.matches(bytes)) {
            return TiffHeader.read(bytes);
        }
        if (AvifHeader.matches(bytes)) {
            return AvifHeader.read(bytes);
        }
        if (bytes.matches(0, "BM")) {
            return BmpHeader.read(bytes);
        }
        throw new BadPayload(
                Reason.UNSUPPORTED, "No known picture starts with bytes " + firstBytes(), 0);
    }

    private String firstBytes() throws BadPayload, IOException {
        byte[] first = new byte[(int) Math.min(8, bytes.lengthBytes())];
        for (int i = 0; i < first.length; i++) {
            first[i] = (byte) bytes.u8(i);
        }
        return HexFormat.ofDelimiter(" ").formatHex(first);
    }
}
