package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import java.io.IOException;

/**
 * Walks the markers of a JPEG from SOI to the first SOS, over junk between them as libjpeg does, and skips each segment by its length.
 * The later pictures of an MPO lie behind that and are not seen.
 */
final class JpegHeader {
    private static final int APP1 = 0xE1;
    private static final int SOS = 0xDA;
    private static final int EOI = 0xD9;

    /** More segments than a 16 MB ICC profile takes. */
    private static final int MOST_SEGMENTS = 2048;

    /** Bytes that are not part of a segment; a JPEG with more of them is not one. */
    private static final int MOST_JUNK_BYTES = 1 << 20;

    private static final String XMP_PREFIX = "http://ns.adobe.com/xap/1.0/\0";

    private final HeaderBytes bytes;
    private int width;
    private int height;
    private int components;
    private int exif = ExifTag.NONE;
    private int xmp = ExifTag.NONE;
    private long junkBytes;

    private JpegHeader(HeaderBytes bytes) {
        this.bytes = bytes;
    }

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        return new JpegHeader(bytes).walk();
    }

    private ImageHeader walk() throws BadPayload, IOException {
        long at = 2;
        for (int segments = 0; segments < MOST_SEGMENTS; segments++) {
            at = afterMarker(at);
            int marker = bytes.u8(at - 1);
            if (marker == SOS) {
                return header(at);
            }
            if (marker == EOI) {
                throw new BadPayload(Reason.CORRUPT, "JPEG ends before its first scan", at);
            }
            if (isAlone(marker)) {
                continue;
            }
            int length = bytes.u16(at, true);
            if (length < 2) {
                throw new BadPayload(Reason.CORRUPT, "JPEG segment of length " + length, at);
            }
            segment(marker, at + 2, at + length);
            at += length;
        }
        throw new BadPayload(
                Reason.CORRUPT,
                "JPEG with more than %d segments before its first scan".formatted(MOST_SEGMENTS),
                at);
    }

    /** The offset behind the next marker. */
    private long afterMarker(long from) throws BadPayload, IOException {
        long at = from;
        while (true) {
            while (bytes.u8(at) != 0xFF) {
                at++;
                junk(at);
            }
            while (bytes.u8(at) == 0xFF) {
                at++;
                junk(at);
            }
            at++;
            if (bytes.u8(at - 1) != 0) {
                return at;
            }
        }
    }

    private void junk(long at) throws BadPayload {
        if (++junkBytes > MOST_JUNK_BYTES) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "JPEG with more than %d bytes outside its segments".formatted(MOST_JUNK_BYTES),
                    at);
        }
    }

    private static boolean isAlone(int marker) {
        return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    }

    private static boolean isFrame(int marker) {
        return marker >= 0xC0
                && marker <= 0xCF
                && marker != 0xC4
                && marker != 0xC8
                && marker != 0xCC;
    }

    private void segment(int marker, long from, long end) throws BadPayload, IOException {
        if (isFrame(marker)) {
            frame(marker, from);
        } else if (marker == APP1 && bytes.has(from, end - from)) {
            if (exif == ExifTag.NONE && bytes.matches(from, "Exif\0\0")) {
                exif = ExifTag.ofExif(bytes, from, end);
            } else if (xmp == ExifTag.NONE && bytes.matches(from, XMP_PREFIX)) {
                xmp = ExifTag.ofXmp(bytes, from + XMP_PREFIX.length(), end);
            }
        }
    }

    private void frame(int marker, long from) throws BadPayload, IOException {
        boolean decodable = marker <= 0xC2 || marker == 0xC9 || marker == 0xCA;
        int precisionBits = bytes.u8(from);
        if (!decodable || precisionBits != 8) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "JPEG of process SOF%d with %d bits".formatted(marker - 0xC0, precisionBits),
                    from);
        }
        height = bytes.u16(from + 1, true);
        width = bytes.u16(from + 3, true);
        components = bytes.u8(from + 5);
        if (height == 0) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "JPEG that gives its height after its first scan", from);
        }
        if (components != 1 && components != 3 && components != 4) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "JPEG of %d components".formatted(components), from);
        }
    }

    private ImageHeader header(long at) throws BadPayload {
        if (components == 0) {
            throw new BadPayload(Reason.CORRUPT, "JPEG scan without a frame header", at);
        }
        return new ImageHeader(
                Codec.JPEG, width, height, ExifTag.orientation(exif, xmp), components);
    }
}
