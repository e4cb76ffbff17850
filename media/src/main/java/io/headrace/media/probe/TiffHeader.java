package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import java.io.IOException;

/**
 * Reads the first directory of a TIFF or BigTIFF. The size is given upright and the orientation as UPRIGHT, since Pillow turns a TIFF
 * whenever it loads one; {@link #orientation} is for the decoder.
 */
public final class TiffHeader {
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int ORIENTATION = 274;
    private static final int SAMPLES = 277;
    private static final int MOST_ENTRIES = 4096;

    private final HeaderBytes bytes;
    private final boolean bigEndian;
    private final boolean wide;
    private long width;
    private long height;
    private long channels = 1;
    private long turned = 1;

    private TiffHeader(HeaderBytes bytes) throws BadPayload, IOException {
        this.bytes = bytes;
        this.bigEndian = bytes.u8(0) == 'M';
        this.wide = bytes.u16(2, bigEndian) == 43;
    }

    static boolean matches(HeaderBytes bytes) throws BadPayload, IOException {
        return bytes.matches(0, "II*\0")
                || bytes.matches(0, "MM\0*")
                || bytes.matches(0, "II+\0")
                || bytes.matches(0, "MM\0+");
    }

    static ImageHeader read(HeaderBytes bytes) throws BadPayload, IOException {
        TiffHeader tiff = new TiffHeader(bytes);
        tiff.directory();
        boolean swaps = Orientation.ofExif((int) tiff.turned).swapsSides();
        int width = (int) (swaps ? tiff.height : tiff.width);
        int height = (int) (swaps ? tiff.width : tiff.height);
        return new ImageHeader(
                Codec.TIFF, width, height, Orientation.UPRIGHT, (int) Math.min(tiff.channels, 4));
    }

    /** How the stored rows of a TIFF lie, which {@link ImageHeader} does not tell. */
    public static Orientation orientation(ByteView payload) throws BadPayload, IOException {
        HeaderBytes bytes = new HeaderBytes();
        bytes.open(payload);
        TiffHeader tiff = new TiffHeader(bytes);
        tiff.directory();
        return Orientation.ofExif((int) tiff.turned);
    }

    private void directory() throws BadPayload, IOException {
        long at = wide ? bytes.u64(8, bigEndian) : bytes.u32(4, bigEndian);
        if (!bytes.has(at, wide ? 8 : 2)) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "TIFF directory at byte %d of %d".formatted(at, bytes.lengthBytes()),
                    bytes.lengthBytes());
        }
        long entries = wide ? bytes.u64(at, bigEndian) : bytes.u16(at, bigEndian);
        if (entries < 0 || entries > MOST_ENTRIES) {
            throw new BadPayload(
                    Reason.CORRUPT, "TIFF directory of %d entries".formatted(entries), at);
        }
        at += wide ? 8 : 2;
        for (int i = 0; i < entries; i++) {
            entry(at);
            at += wide ? 20 : 12;
        }
        if (width <= 0 || height <= 0 || width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
            throw new BadPayload(
                    Reason.CORRUPT, "TIFF of %d x %d pixels".formatted(width, height), at);
        }
    }

    private void entry(long at) throws BadPayload, IOException {
        switch (bytes.u16(at, bigEndian)) {
            case WIDTH -> width = value(at);
            case HEIGHT -> height = value(at);
            case ORIENTATION -> turned = value(at);
            case SAMPLES -> channels = value(at);
            default -> {}
        }
    }

    private long value(long at) throws BadPayload, IOException {
        long value = at + (wide ? 12 : 8);
        return switch (bytes.u16(at + 2, bigEndian)) {
            case 1 -> bytes.u8(value);
            case 3 -> bytes.u16(value, bigEndian);
            case 4 -> bytes.u32(value, bigEndian);
            case 16 -> bytes.u64(value, bigEndian);
            default -> 0;
        };
    }
}
