package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;

/**
 * Finds the orientation in EXIF (a TIFF structure, tag 0x0112 of the first directory) and in XMP ({@code tiff:Orientation}). A broken
 * structure has none, as Pillow has it; EXIF goes before XMP, even with a value outside 1 to 8.
 */
final class ExifTag {
    static final int NONE = -1;
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int MOST_ENTRIES = 4096;
    private static final String XMP_NAME = "tiff:Orientation";

    private ExifTag() {}

    /** The value of EXIF between two offsets, with or without the {@code Exif} prefix; {@link #NONE} if it has none. */
    static int ofExif(HeaderBytes bytes, long from, long end) throws IOException {
        try {
            long start = from;
            while (end - start > 6 && bytes.matches(start, "Exif\0\0")) {
                start += 6;
            }
            return ofTiff(bytes, start, end);
        } catch (BadPayload broken) {
            return NONE;
        }
    }

    private static int ofTiff(HeaderBytes bytes, long start, long end)
            throws BadPayload, IOException {
        boolean big = bytes.matches(start, "MM");
        if (end - start < 8 || (!big && !bytes.matches(start, "II"))) {
            return NONE;
        }
        long directory = start + bytes.u32(start + 4, big);
        if (directory + 2 > end) {
            return NONE;
        }
        int entries = Math.min(bytes.u16(directory, big), MOST_ENTRIES);
        for (int i = 0; i < entries; i++) {
            long entry = directory + 2 + 12L * i;
            if (entry + 12 > end) {
                return NONE;
            }
            if (bytes.u16(entry, big) == ORIENTATION) {
                return value(bytes, entry, big);
            }
        }
        return NONE;
    }

    private static int value(HeaderBytes bytes, long entry, boolean big)
            throws BadPayload, IOException {
        int type = bytes.u16(entry + 2, big);
        if (bytes.u32(entry + 4, big) != 1) {
            return NONE;
        }
        return switch (type) {
            case SHORT -> bytes.u16(entry + 8, big);
            case LONG -> (int) Math.min(bytes.u32(entry + 8, big), 9);
            default -> NONE;
        };
    }

    /** The value of XMP between two offsets; {@link #NONE} if it has none. */
    static int ofXmp(HeaderBytes bytes, long from, long end) throws IOException {
        try {
            long at = from;
            while ((at = bytes.find(XMP_NAME, at, end)) >= 0) {
                at += XMP_NAME.length();
                int width = bytes.matches(at, "=\"") ? 2 : bytes.matches(at, ">") ? 1 : 0;
                if (width > 0 && at + width < end) {
                    int digit = bytes.u8(at + width) - '0';
                    if (digit >= 0 && digit <= 9) {
                        return digit;
                    }
                }
            }
            return NONE;
        } catch (BadPayload broken) {
            return NONE;
        }
    }

    /** The orientation of what was found in EXIF and in XMP. */
    static Orientation orientation(int exif, int xmp) {
        return Orientation.ofExif(exif != NONE ? exif : xmp);
    }
}
