package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the movie fragments of a fragmented file (ISO/IEC 14496-12, 8.8): each {@code moof} adds samples to the tracks it names. */
final class FragmentReader {
    private static final int BASE_OFFSET = 0x1;
    private static final int DESCRIPTION = 0x2;
    private static final int DEFAULT_DURATION = 0x8;
    private static final int DEFAULT_SIZE = 0x10;
    private static final int DEFAULT_FLAGS = 0x20;
    private static final int BASE_IS_MOOF = 0x20000;

    private static final int RUN_OFFSET = 0x1;
    private static final int RUN_FIRST_FLAGS = 0x4;
    private static final int RUN_DURATION = 0x100;
    private static final int RUN_SIZE = 0x200;
    private static final int RUN_FLAGS = 0x400;
    private static final int RUN_COMPOSITION = 0x800;

    /** Bits of sample flags: depends on other samples, is no sync sample. A key sample has neither, as FFmpeg has it. */
    private static final int NO_KEY = 0x0101_0000;

    private final Map<Long, SampleTableBuilder> tables;
    private final Map<Long, Defaults> defaults = new HashMap<>();
    private long samples;

    /** What samples have that do not say otherwise. */
    private record Defaults(long duration, int size, int flags) {}

    /** Where the samples of a fragment go and come from. */
    private record Fragment(SampleTableBuilder table, Defaults defaults, long baseOffset) {}

    /** @param tables the tables that are filled, by track_ID; fragments of other tracks are passed over */
    FragmentReader(BoxBytes moov, Box mvex, Map<Long, SampleTableBuilder> tables)
            throws BadPayload {
        this.tables = tables;
        int trex = Box.code("trex");
        for (Box box : moov.children(mvex)) {
            if (box.type() == trex) {
                defaults.put(
                        moov.u32(box.from() + 4),
                        new Defaults(
                                moov.u32(box.from() + 12),
                                moov.i32(box.from() + 16),
                                moov.i32(box.from() + 20)));
            }
        }
    }

    /** Adds the samples of one {@code moof}. */
    void add(BoxBytes bytes) throws BadPayload {
        Box moof = bytes.root();
        int traf = Box.code("traf");
        long dataEnd = moof.at();
        for (Box box : bytes.children(moof)) {
            if (box.type() == traf) {
                dataEnd = track(bytes, box, moof.at(), dataEnd);
            }
        }
    }

    /** Reads one track's part of a fragment; returns where its data ends. */
    private long track(BoxBytes bytes, Box traf, long moofAt, long dataEnd) throws BadPayload {
        List<Box> boxes = bytes.children(traf);
        Fragment fragment = fragment(bytes, BoxBytes.need(boxes, "tfhd", traf), moofAt, dataEnd);
        if (fragment == null) {
            return dataEnd;
        }
        long decodeTicks = fragment.table.endTicks();
        Box tfdt = BoxBytes.find(boxes, "tfdt");
        if (tfdt != null) {
            decodeTicks =
                    bytes.u8(tfdt.from()) == 1
                            ? bytes.i64(tfdt.from() + 4)
                            : bytes.u32(tfdt.from() + 4);
        }
        long dataAt = fragment.baseOffset;
        int trun = Box.code("trun");
        for (Box box : boxes) {
            if (box.type() == trun) {
                dataAt = run(bytes, box, fragment, decodeTicks, dataAt);
                decodeTicks = fragment.table.endTicks();
            }
        }
        return dataAt;
    }

    private @Nullable Fragment fragment(BoxBytes bytes, Box tfhd, long moofAt, long dataEnd)
            throws BadPayload {
        int flags = bytes.i32(tfhd.from());
        long id = bytes.u32(tfhd.from() + 4);
        SampleTableBuilder table = tables.get(id);
        if (table == null) {
            return null;
        }
        long at = tfhd.from() + 8;
        long base = (flags & BASE_IS_MOOF) != 0 ? moofAt : dataEnd;
        if ((flags & BASE_OFFSET) != 0) {
            base = bytes.i64(at);
            at += 8;
        }
        if ((flags & DESCRIPTION) != 0) {
            at += 4;
        }
        Defaults trex = defaults.getOrDefault(id, new Defaults(0, 0, 0));
        long duration = trex.duration;
        int size = trex.size;
        int sampleFlags = trex.flags;
        if ((flags & DEFAULT_DURATION) != 0) {
            duration = bytes.u32(at);
            at += 4;
        }
        if ((flags & DEFAULT_SIZE) != 0) {
            size = bytes.i32(at);
            at += 4;
        }
        if ((flags & DEFAULT_FLAGS) != 0) {
            sampleFlags = bytes.i32(at);
        }
        return new Fragment(table, new Defaults(duration, size, sampleFlags), base);
    }

    /** Adds the samples of one run; returns where its data ends. */
    private long run(BoxBytes bytes, Box trun, Fragment fragment, long decodeTicks, long dataAt)
            throws BadPayload {
        int flags = bytes.i32(trun.from());
        long at = trun.from() + 8;
        long offset = dataAt;
        if ((flags & RUN_OFFSET) != 0) {
            offset = fragment.baseOffset + bytes.i32(at);
            at += 4;
        }
        int firstFlags = fragment.defaults.flags;
        if ((flags & RUN_FIRST_FLAGS) != 0) {
            firstFlags = bytes.i32(at);
            at += 4;
        }
        int fields =
                Integer.bitCount(flags & (RUN_DURATION | RUN_SIZE | RUN_FLAGS | RUN_COMPOSITION));
        long count = bytes.u32(trun.from() + 4);
        if (fields > 0) {
            count = bytes.entries(trun, trun.from() + 4, at, 4 * fields);
        }
        samples += count;
        if (samples > SampleTable.MOST_SAMPLES) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Fragments of %d samples or more; at most %d are read"
                            .formatted(samples, SampleTable.MOST_SAMPLES),
                    trun.at());
        }
        long ticks = decodeTicks;
        for (long i = 0; i < count; i++) {
            long duration = fragment.defaults.duration;
            int size = fragment.defaults.size;
            int sampleFlags = i == 0 ? firstFlags : fragment.defaults.flags;
            long composition = 0;
            if ((flags & RUN_DURATION) != 0) {
                duration = bytes.u32(at);
                at += 4;
            }
            if ((flags & RUN_SIZE) != 0) {
                size = bytes.i32(at);
                at += 4;
            }
            if ((flags & RUN_FLAGS) != 0) {
                sampleFlags = i == 0 && (flags & RUN_FIRST_FLAGS) != 0 ? firstFlags : bytes.i32(at);
                at += 4;
            }
            if ((flags & RUN_COMPOSITION) != 0) {
                composition = bytes.i32(at);
                at += 4;
            }
            if (size < 0 || offset < 0 || offset > Long.MAX_VALUE / 2) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "Sample of %d bytes at offset %d".formatted(size, offset),
                        trun.at());
            }
            boolean key = (sampleFlags & NO_KEY) == 0;
            fragment.table.add(ticks, ticks + composition, duration, offset, size, key);
            ticks += duration;
            offset += size;
        }
        return offset;
    }
}
