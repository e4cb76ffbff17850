package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;

/** Reads a WebP: lossy, lossless or extended; EXIF and XMP count only in an extended file whose flags announce them. */
final class WebpHeader {
    private static final int ALPHA_FLAG = 0x10;
    private static final int EXIF_FLAG = 0x08;
    private static final int XMP_FLAG = 0x04;
    private static final int MOST_CHUNKS = 1024;

    private WebpHeader() {}

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        if (bytes.matches(12, "VP8 ")) {
            return lossy(bytes);
        }
        if (bytes.matches(12, "VP8L")) {
            return lossless(bytes);
        }
        if (bytes.matches(12, "VP8X")) {
            return extended(bytes);
        }
        throw new BadPayload(Reason.CORRUPT, "WebP with an unknown first chunk", 12);
    }

    private static ImageHeader lossy(HeaderBytes bytes) throws BadPayload, IOException {
        if (bytes.u8(23) != 0x9D || bytes.u8(24) != 0x01 || bytes.u8(25) != 0x2A) {
            throw new BadPayload(Reason.CORRUPT, "WebP without a VP8 start code", 23);
        }
        int width = bytes.u16(26, false) & 0x3FFF;
        int height = bytes.u16(28, false) & 0x3FFF;
        return new ImageHeader(Codec.WEBP, width, height, Orientation.UPRIGHT, 3);
    }

    private static ImageHeader lossless(HeaderBytes bytes) throws BadPayload, IOException {
        if (bytes.u8(20) != 0x2F) {
            throw new BadPayload(Reason.CORRUPT, "WebP without a VP8L signature", 20);
        }
        long bits = bytes.u32(21, false);
        int width = (int) (bits & 0x3FFF) + 1;
        int height = (int) (bits >> 14 & 0x3FFF) + 1;
        int channels = (bits >> 28 & 1) != 0 ? 4 : 3;
        return new ImageHeader(Codec.WEBP, width, height, Orientation.UPRIGHT, channels);
    }

    private static ImageHeader extended(HeaderBytes bytes) throws BadPayload, IOException {
        int flags = bytes.u8(20);
        int width = u24(bytes, 24) + 1;
        int height = u24(bytes, 27) + 1;
        int channels = (flags & ALPHA_FLAG) != 0 ? 4 : 3;
        Orientation orientation =
                (flags & (EXIF_FLAG | XMP_FLAG)) != 0
                        ? orientation(bytes, flags)
                        : Orientation.UPRIGHT;
        return new ImageHeader(Codec.WEBP, width, height, orientation, channels);
    }

    private static int u24(HeaderBytes bytes, long at) throws BadPayload, IOException {
        return bytes.u16(at, false) | bytes.u8(at + 2) << 16;
    }

    private static Orientation orientation(HeaderBytes bytes, int flags)
            throws BadPayload, IOException {
        boolean wantsExif = (flags & EXIF_FLAG) != 0;
        boolean wantsXmp = (flags & XMP_FLAG) != 0;
        int exif = ExifTag.NONE;
        int xmp = ExifTag.NONE;
        long at = 12;
        for (int chunk = 0; chunk < MOST_CHUNKS && bytes.has(at, 8); chunk++) {
            long length = bytes.u32(at + 4, false);
            long end = at + 8 + length;
            if (!bytes.has(at + 8, length)) {
                break;
            }
            if (wantsExif && bytes.matches(at, "EXIF")) {
                exif = ExifTag.ofExif(bytes, at + 8, end);
                wantsExif = false;
            } else if (wantsXmp && bytes.matches(at, "XMP ")) {
                xmp = ExifTag.ofXmp(bytes, at + 8, end);
                wantsXmp = false;
            }
            at = end + (length & 1);
        }
        return ExifTag.orientation(exif, xmp);
    }
}
