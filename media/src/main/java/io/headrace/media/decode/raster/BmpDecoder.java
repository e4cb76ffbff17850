package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes a BMP: palettes of 1, 4 and 8 bits, also run-length coded, and colours of 16, 24 and 32 bits with their masks. A fourth
 * channel counts as alpha only where a mask names it.
 */
public final class BmpDecoder {
    private static final int RLE8 = 1;
    private static final int RLE4 = 2;
    private static final int MASKS = 3;
    private static final int ALPHA_MASKS = 6;

    private final MemorySegment bmp;
    private final int width;
    private final int height;
    private final boolean onWhite;
    private final MemorySegment rgb;
    private final int headerBytes;
    private final int bits;
    private final int compression;
    private final boolean topDown;

    private BmpDecoder(
            MemorySegment bmp, int width, int height, boolean onWhite, MemorySegment rgb) {
        this.bmp = bmp;
        this.width = width;
        this.height = height;
        this.onWhite = onWhite;
        this.rgb = rgb;
        headerBytes = i32(14);
        boolean os2 = headerBytes == 12;
        bits = u16(os2 ? 24 : 28);
        compression = os2 || headerBytes < 20 ? 0 : i32(30);
        topDown = !os2 && i32(22) < 0;
    }

    /** Writes packed RGB rows; the size is that of the probe. */
    public static void decode(
            MemorySegment bmp, int width, int height, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        new BmpDecoder(bmp, width, height, onWhite, rgb).decode();
    }

    private int u8(long at) {
        return bmp.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private int u16(long at) {
        return u8(at) | u8(at + 1) << 8;
    }

    private int i32(long at) {
        return u16(at) | u16(at + 2) << 16;
    }

    private void decode() throws BadPayload {
        boolean plain = compression == 0;
        boolean masked = compression == MASKS || compression == ALPHA_MASKS;
        if ((bits == 1 || bits == 4 || bits == 8) && plain) {
            indexed();
        } else if ((bits == 8 && compression == RLE8) || (bits == 4 && compression == RLE4)) {
            runs();
        } else if ((bits == 16 || bits == 32) && masked) {
            masked();
        } else if (bits == 16 && plain) {
            colours(new int[] {0x7C00, 0x3E0, 0x1F, 0});
        } else if ((bits == 24 || bits == 32) && plain) {
            colours(new int[] {0xFF0000, 0xFF00, 0xFF, 0});
        } else {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "BMP of %d bits with compression %d".formatted(bits, compression),
                    28);
        }
    }

    private long pixelsAt() {
        return i32(10) & 0xFFFFFFFFL;
    }

    private int[] palette() {
        int entryBytes = headerBytes == 12 ? 3 : 4;
        long from = 14L + headerBytes;
        int used = headerBytes >= 40 ? i32(46) : 0;
        int entries = used > 0 && used <= 256 ? used : 1 << bits;
        int[] palette = new int[256];
        for (int i = 0; i < entries && from + 3L <= pixelsAt(); i++) {
            palette[i] = u8(from + 2) | u8(from + 1) << 8 | u8(from) << 16;
            from += entryBytes;
        }
        return palette;
    }

    private void put(int x, int row, int colour) {
        int y = topDown ? row : height - 1 - row;
        long at = 3L * ((long) y * width + x);
        rgb.set(ValueLayout.JAVA_BYTE, at, (byte) colour);
        rgb.set(ValueLayout.JAVA_BYTE, at + 1, (byte) (colour >> 8));
        rgb.set(ValueLayout.JAVA_BYTE, at + 2, (byte) (colour >> 16));
    }

    private long stride() {
        return ((long) width * bits + 31) / 32 * 4;
    }

    private void indexed() {
        int[] palette = palette();
        int mask = (1 << bits) - 1;
        for (int row = 0; row < height; row++) {
            long from = pixelsAt() + row * stride();
            for (int x = 0; x < width; x++) {
                long bit = (long) x * bits;
                int shift = 8 - bits - (int) (bit & 7);
                put(x, row, palette[(u8(from + (bit >> 3)) >> shift) & mask]);
            }
        }
    }

    private void masked() throws BadPayload {
        boolean hasAlpha = headerBytes >= 56 || compression == ALPHA_MASKS;
        colours(new int[] {i32(54), i32(58), i32(62), hasAlpha ? i32(66) : 0});
    }

    private void colours(int[] masks) throws BadPayload {
        int bytes = bits / 8;
        for (int mask : new int[] {masks[0], masks[1], masks[2]}) {
            if (mask == 0) {
                throw new BadPayload(Reason.CORRUPT, "BMP with a colour mask of 0", 54);
            }
        }
        boolean compose = onWhite && masks[3] != 0;
        for (int row = 0; row < height; row++) {
            long from = pixelsAt() + row * stride();
            for (int x = 0; x < width; x++) {
                long at = from + (long) x * bytes;
                int value = bytes == 2 ? u16(at) : u16(at) | u8(at + 2) << 16;
                if (bytes == 4) {
                    value |= u8(at + 3) << 24;
                }
                int alpha = compose ? level(value, masks[3]) : 255;
                put(
                        x,
                        row,
                        OnWhite.pixel(
                                level(value, masks[0]),
                                level(value, masks[1]),
                                level(value, masks[2]),
                                alpha));
            }
        }
    }

    private static int level(int value, int mask) {
        int shift = Integer.numberOfTrailingZeros(mask);
        long most = (mask & 0xFFFFFFFFL) >> shift;
        return (int) (((value & mask & 0xFFFFFFFFL) >> shift) * 255 / most);
    }

    /** Runs and literals; what they leave out has the first colour. */
    private void runs() throws BadPayload {
        int[] palette = palette();
        for (int row = 0; row < height; row++) {
            for (int x = 0; x < width; x++) {
                put(x, row, palette[0]);
            }
        }
        long at = pixelsAt();
        int x = 0;
        int row = 0;
        while (row < height) {
            int count = u8(at);
            int value = u8(at + 1);
            at += 2;
            if (count > 0) {
                for (int i = 0; i < count; i++) {
                    x = putRun(x, row, palette[bits == 8 ? value : nibble(value, i)]);
                }
            } else if (value == 0) {
                x = 0;
                row++;
            } else if (value == 1) {
                if (row < height - 1 || x < width) {
                    throw new BadPayload(
                            Reason.TRUNCATED,
                            "BMP of %d rows ends in row %d".formatted(height, row),
                            at);
                }
                return;
            } else if (value == 2) {
                x += u8(at);
                row += u8(at + 1);
                at += 2;
            } else {
                for (int i = 0; i < value; i++) {
                    int sample = bits == 8 ? u8(at + i) : nibble(u8(at + i / 2), i);
                    x = putRun(x, row, palette[sample]);
                }
                int bytes = bits == 8 ? value : (value + 1) / 2;
                at += bytes + (bytes & 1);
            }
        }
    }

    private static int nibble(int value, int index) {
        return index % 2 == 0 ? value >> 4 : value & 15;
    }

    private int putRun(int x, int row, int colour) {
        if (x < width) {
            put(x, row, colour);
        }
        return x + 1;
    }
}
