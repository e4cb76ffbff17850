package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Decodes the first picture of a GIF. What it leaves of the screen has its transparent colour, or else the first of the palette, as
 * Pillow has it.
 */
public final class GifDecoder {
    private static final int NO_COLOUR = -1;
    private static final int[][] INTERLACED = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};

    private final MemorySegment gif;
    private final int width;
    private long at = 13;
    private int transparent = NO_COLOUR;
    private int[] colours;

    private GifDecoder(MemorySegment gif, int width) {
        this.gif = gif;
        this.width = width;
        colours = palette(u8(10));
    }

    /**
     * Writes packed RGB rows of the screen, as large as the probe says.
     *
     * @param onWhite whether transparent pixels are white; else they have the colour of the palette
     */
    public static void decode(
            MemorySegment gif, int width, int height, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        GifDecoder decoder = new GifDecoder(gif, width);
        decoder.toPicture();
        byte[] screen = new byte[Math.multiplyExact(width, height)];
        decoder.picture(screen);
        int[] shown = decoder.colours;
        if (onWhite && decoder.transparent != NO_COLOUR) {
            shown[decoder.transparent] = 0xFFFFFF;
        }
        for (int i = 0; i < screen.length; i++) {
            int colour = shown[screen[i] & 0xFF];
            rgb.set(ValueLayout.JAVA_BYTE, 3L * i, (byte) colour);
            rgb.set(ValueLayout.JAVA_BYTE, 3L * i + 1, (byte) (colour >> 8));
            rgb.set(ValueLayout.JAVA_BYTE, 3L * i + 2, (byte) (colour >> 16));
        }
    }

    private int u8(long offset) {
        return gif.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private int u16(long offset) {
        return u8(offset) | u8(offset + 1) << 8;
    }

    /** The palette at hand, or levels of grey where the flags say that there is none. */
    private int[] palette(int flags) {
        int[] palette = new int[256];
        if ((flags & 0x80) == 0) {
            Arrays.setAll(palette, i -> i * 0x010101);
            return palette;
        }
        int entries = 2 << (flags & 7);
        for (int i = 0; i < entries; i++) {
            palette[i] = u8(at) | u8(at + 1) << 8 | u8(at + 2) << 16;
            at += 3;
        }
        return palette;
    }

    /** Goes to the first picture; a graphic control extension on the way tells the transparent colour. */
    private void toPicture() {
        int kind;
        while ((kind = u8(at)) != ',') {
            if (kind != '!') {
                at++;
                continue;
            }
            boolean control = u8(at + 1) == 0xF9;
            at += 2;
            if (control && u8(at) >= 4 && (u8(at + 1) & 1) != 0) {
                transparent = u8(at + 4);
            }
            int length;
            while ((length = u8(at)) != 0) {
                at += 1 + length;
            }
            at++;
        }
        at++;
    }

    private void picture(byte[] screen) throws BadPayload {
        int left = u16(at);
        int top = u16(at + 2);
        int columns = u16(at + 4);
        int rows = u16(at + 6);
        int flags = u8(at + 8);
        at += 9;
        if ((flags & 0x80) != 0) {
            colours = palette(flags);
        }
        if (transparent != NO_COLOUR) {
            Arrays.fill(screen, (byte) transparent);
        }
        byte[] pixels = new byte[Math.multiplyExact(columns, rows)];
        new GifLzw(gif, at).decode(pixels);
        int from = 0;
        int[][] passes = (flags & 0x40) != 0 ? INTERLACED : new int[][] {{0, 1}};
        for (int[] pass : passes) {
            for (int y = pass[0]; y < rows; y += pass[1]) {
                System.arraycopy(pixels, from, screen, (top + y) * width + left, columns);
                from += columns;
            }
        }
    }

    /** The variable-length codes of a GIF's picture, from the byte with their first width on. */
    private static final class GifLzw {
        private static final int MOST_CODES = 4096;

        private final MemorySegment gif;
        private final int firstBits;
        private long at;
        private int blockBytes;
        private int held;
        private int heldBits;
        private final int[] prefix = new int[MOST_CODES];
        private final byte[] suffix = new byte[MOST_CODES];
        private final byte[] stack = new byte[MOST_CODES + 1];

        GifLzw(MemorySegment gif, long at) throws BadPayload {
            this.gif = gif;
            this.firstBits = gif.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            this.at = at + 1;
            if (firstBits < 1 || firstBits > 11) {
                throw new BadPayload(
                        Reason.CORRUPT, "GIF with codes of " + firstBits + " bits", at);
            }
        }

        void decode(byte[] pixels) throws BadPayload {
            int clear = 1 << firstBits;
            int next = clear + 2;
            int bits = firstBits + 1;
            int last = -1;
            int first = 0;
            int done = 0;
            while (done < pixels.length) {
                int code = code(bits);
                if (code == clear) {
                    next = clear + 2;
                    bits = firstBits + 1;
                    last = -1;
                    continue;
                }
                if (code == clear + 1) {
                    throw new BadPayload(
                            Reason.TRUNCATED,
                            "GIF of %d pixels ends after %d".formatted(pixels.length, done),
                            at);
                }
                if (code > next || (code == next && last < 0) || (last < 0 && code >= clear)) {
                    throw new BadPayload(Reason.CORRUPT, "GIF with an unknown code", at);
                }
                int depth = 0;
                int walk = code;
                if (code == next) {
                    stack[depth++] = (byte) first;
                    walk = last;
                }
                while (walk >= clear) {
                    stack[depth++] = suffix[walk];
                    walk = prefix[walk];
                }
                first = walk;
                stack[depth++] = (byte) first;
                while (depth > 0 && done < pixels.length) {
                    pixels[done++] = stack[--depth];
                }
                if (last >= 0 && next < MOST_CODES) {
                    prefix[next] = last;
                    suffix[next] = (byte) first;
                    next++;
                    if (next == 1 << bits && bits < 12) {
                        bits++;
                    }
                }
                last = code;
            }
        }

        private int code(int bits) throws BadPayload {
            while (heldBits < bits) {
                if (blockBytes == 0) {
                    blockBytes = gif.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
                    if (blockBytes == 0) {
                        throw new BadPayload(Reason.TRUNCATED, "GIF whose codes end early", at);
                    }
                }
                held |= (gif.get(ValueLayout.JAVA_BYTE, at++) & 0xFF) << heldBits;
                heldBits += 8;
                blockBytes--;
            }
            int code = held & ((1 << bits) - 1);
            held >>>= bits;
            heldBits -= bits;
            return code;
        }
    }
}
