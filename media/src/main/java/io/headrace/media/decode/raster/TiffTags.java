package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** The whole numbers in the first directory of a TIFF or BigTIFF. */
final class TiffTags {
    static final int BITS = 258;
    static final int COMPRESSION = 259;
    static final int PHOTOMETRIC = 262;
    static final int FILL_ORDER = 266;
    static final int STRIP_OFFSETS = 273;
    static final int SAMPLES = 277;
    static final int ROWS_PER_STRIP = 278;
    static final int STRIP_BYTES = 279;
    static final int PLANAR = 284;
    static final int PREDICTOR = 317;
    static final int COLOUR_MAP = 320;
    static final int TILE_WIDTH = 322;
    static final int TILE_HEIGHT = 323;
    static final int TILE_OFFSETS = 324;
    static final int TILE_BYTES = 325;
    static final int EXTRA_SAMPLES = 338;
    private static final int MOST_ENTRIES = 4096;

    private final MemorySegment tiff;
    private final boolean bigEndian;
    private final Map<Integer, long[]> values = new HashMap<>();

    TiffTags(MemorySegment tiff) throws BadPayload {
        this.tiff = tiff;
        bigEndian = u8(0) == 'M';
        boolean wide = number(2, 2) == 43;
        long at = wide ? number(8, 8) : number(4, 4);
        long entries = Math.min(number(at, wide ? 8 : 2), MOST_ENTRIES);
        at += wide ? 8 : 2;
        for (int i = 0; i < entries; i++) {
            entry(at, wide);
            at += wide ? 20 : 12;
        }
    }

    boolean bigEndian() {
        return bigEndian;
    }

    private void entry(long at, boolean wide) throws BadPayload {
        int bytes =
                switch ((int) number(at + 2, 2)) {
                    case 1 -> 1;
                    case 3 -> 2;
                    case 4 -> 4;
                    case 16 -> 8;
                    default -> 0;
                };
        long count = number(at + 4, wide ? 8 : 4);
        if (bytes == 0) {
            return;
        }
        if (count < 0 || count > tiff.byteSize() / bytes) {
            throw new BadPayload(Reason.CORRUPT, "TIFF tag of %d values".formatted(count), at);
        }
        long inline = at + (wide ? 12 : 8);
        long from = count * bytes <= (wide ? 8 : 4) ? inline : number(inline, wide ? 8 : 4);
        long[] list = new long[(int) count];
        for (int i = 0; i < list.length; i++) {
            list[i] = number(from + (long) i * bytes, bytes);
        }
        values.put((int) number(at, 2), list);
    }

    private int u8(long at) {
        return tiff.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private long number(long at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) u8(at + i) << (8 * (bigEndian ? bytes - 1 - i : i));
        }
        return value;
    }

    /** The only or first value of a tag. */
    int value(int tag, int ifMissing) {
        long[] list = values.get(tag);
        return list == null || list.length == 0
                ? ifMissing
                : Math.clamp(list[0], 0, Integer.MAX_VALUE);
    }

    boolean has(int tag) {
        return values.containsKey(tag);
    }

    long[] list(int tag) throws BadPayload {
        long[] list = values.get(tag);
        if (list == null) {
            throw new BadPayload(Reason.CORRUPT, "TIFF without tag " + tag);
        }
        return list;
    }
}
