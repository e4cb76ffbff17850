package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import java.io.IOException;

/**
 * Walks the chunks of a PNG by their lengths. Orientation is looked for as Pillow does: {@code eXIf}, a text chunk
 * {@code Raw profile type exif} (hexadecimal), then XMP in {@code iTXt}; before and behind the pixels.
 */
final class PngHeader {
    private static final int MOST_CHUNKS = 1024;
    private static final int MOST_TEXT_BYTES = 1 << 20;
    private static final long MOST_SIDE = 0x7FFFFFFFL;

    private final HeaderBytes bytes;
    private int exif = ExifTag.NONE;
    private int rawExif = ExifTag.NONE;
    private int xmp = ExifTag.NONE;

    private PngHeader(HeaderBytes bytes) {
        this.bytes = bytes;
    }

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        return new PngHeader(bytes).walk();
    }

    private ImageHeader walk() throws BadPayload, IOException {
        if (bytes.u32(8, true) != 13 || !bytes.matches(12, "IHDR")) {
            throw new BadPayload(Reason.CORRUPT, "PNG does not begin with IHDR", 8);
        }
        long width = bytes.u32(16, true);
        long height = bytes.u32(20, true);
        if (width > MOST_SIDE || height > MOST_SIDE) {
            throw new BadPayload(
                    Reason.CORRUPT, "PNG of %d x %d pixels".formatted(width, height), 16);
        }
        int channels = channels(bytes.u8(25));
        chunks();
        int first = exif != ExifTag.NONE ? exif : rawExif;
        return new ImageHeader(
                Codec.PNG, (int) width, (int) height, ExifTag.orientation(first, xmp), channels);
    }

    private static int channels(int colourType) throws BadPayload {
        return switch (colourType) {
            case 0, 3 -> 1;
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> throw new BadPayload(Reason.CORRUPT, "PNG of colour type " + colourType, 25);
        };
    }

    /** Looks at chunks until one is not there: whether the pixels are whole is the decoder's question. */
    private void chunks() throws IOException {
        try {
            long at = 33;
            for (int chunk = 0; chunk < MOST_CHUNKS && bytes.has(at, 12); chunk++) {
                long length = bytes.u32(at, true);
                if (!bytes.has(at + 8, length) || bytes.matches(at + 4, "IEND")) {
                    return;
                }
                chunk(at + 4, at + 8, at + 8 + length);
                at += 12 + length;
            }
        } catch (BadPayload broken) {
            return;
        }
    }

    private void chunk(long type, long from, long end) throws BadPayload, IOException {
        if (bytes.matches(type, "eXIf")) {
            exif = ExifTag.ofExif(bytes, from, end);
        } else if (end - from > MOST_TEXT_BYTES) {
            return;
        } else if (bytes.matches(type, "iTXt") && bytes.matches(from, "XML:com.adobe.xmp\0")) {
            xmp = ExifTag.ofXmp(bytes, from, end);
        } else if (bytes.matches(type, "tEXt") && bytes.matches(from, "Raw profile type exif\0")) {
            rawExif = RawProfile.ofText(bytes, from + 22, end);
        } else if (bytes.matches(type, "zTXt")
                && bytes.matches(from, "Raw profile type exif\0\0")) {
            rawExif = RawProfile.ofDeflated(bytes, from + 23, end);
        }
    }
}
