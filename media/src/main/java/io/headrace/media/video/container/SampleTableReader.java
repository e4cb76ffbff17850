package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sample table box {@code stbl} (ISO/IEC 14496-12, 8.6 to 8.7). Where a table is shorter than the track, the rest is as FFmpeg
 * has it: the last duration goes on, composition offsets end in 0.
 */
final class SampleTableReader {
    private final BoxBytes bytes;
    private final Box stbl;
    private final List<Box> boxes;
    private final long payloadBytes;

    /** @param payloadBytes length of the file: samples of one constant size must have room in it */
    SampleTableReader(BoxBytes bytes, Box stbl, long payloadBytes) throws BadPayload {
        this.bytes = bytes;
        this.stbl = stbl;
        this.boxes = bytes.children(stbl);
        this.payloadBytes = payloadBytes;
    }

    /** Adds all samples of the track. */
    void read(SampleTableBuilder table) throws BadPayload {
        Sizes sizes = sizes();
        if (sizes.count == 0) {
            return;
        }
        table.reserve(sizes.count);
        Box stts = BoxBytes.need(boxes, "stts", stbl);
        RunCursor durations = new RunCursor(bytes, stts);
        if (durations.entries() == 0) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "%d samples without a duration".formatted(sizes.count),
                    stts.at());
        }
        Box ctts = BoxBytes.find(boxes, "ctts");
        RunCursor compositions = ctts == null ? null : new RunCursor(bytes, ctts);
        ChunkCursor places = new ChunkCursor(bytes, boxes, stbl);
        KeyCursor keys = new KeyCursor("stss");
        KeyCursor partial = new KeyCursor("stps");
        long decodeTicks = 0;
        for (int sample = 0; sample < sizes.count; sample++) {
            long duration = durations.next(RunCursor.Beyond.LAST) & 0xFFFF_FFFFL;
            long composition = compositions == null ? 0 : compositions.next(RunCursor.Beyond.ZERO);
            int length = sizes.of(sample);
            boolean key = keys.table == null || keys.has(sample);
            table.add(
                    decodeTicks,
                    decodeTicks + composition,
                    duration,
                    places.next(length),
                    length,
                    key || partial.has(sample));
            decodeTicks += duration;
        }
    }

    private Sizes sizes() throws BadPayload {
        Box stsz = BoxBytes.find(boxes, "stsz");
        if (stsz == null) {
            Box stz2 = BoxBytes.need(boxes, "stz2", stbl);
            int bits = bytes.u8(stz2.from() + 7);
            if (bits != 4 && bits != 8 && bits != 16) {
                throw new BadPayload(
                        Reason.CORRUPT, "Sizes of %d bits in stz2".formatted(bits), stz2.at());
            }
            long count = bytes.u32(stz2.from() + 8);
            long most = (stz2.end() - stz2.from() - 12) * 8 / bits;
            return new Sizes(stz2.from() + 12, checked(count, most, stz2), bits, 0);
        }
        int constant = size(stsz.from() + 4);
        long count = bytes.u32(stsz.from() + 8);
        long most = constant > 0 ? payloadBytes / constant : (stsz.end() - stsz.from() - 12) / 4;
        return new Sizes(stsz.from() + 12, checked(count, most, stsz), 32, constant);
    }

    private static int checked(long count, long most, Box box) throws BadPayload {
        if (count > most) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Box %s of %d samples where at most %d can be"
                            .formatted(box.name(), count, most),
                    box.at());
        }
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    private int size(long at) throws BadPayload {
        int size = bytes.i32(at);
        if (size < 0) {
            throw new BadPayload(
                    Reason.CORRUPT, "Sample of %d bytes".formatted(size & 0xFFFF_FFFFL), at);
        }
        return size;
    }

    /** Sizes of samples: one for all, or a field of some bits for each. */
    private final class Sizes {
        private final long from;
        private final int count;
        private final int bits;
        private final int constant;

        Sizes(long from, int count, int bits, int constant) {
            this.from = from;
            this.count = count;
            this.bits = bits;
            this.constant = constant;
        }

        int of(int sample) throws BadPayload {
            if (constant > 0) {
                return constant;
            }
            return switch (bits) {
                case 4 -> bytes.u8(from + sample / 2) >> (sample % 2 == 0 ? 4 : 0) & 0xF;
                case 8 -> bytes.u8(from + sample);
                case 16 -> bytes.u16(from + 2L * sample);
                default -> size(from + 4L * sample);
            };
        }
    }

    /** Walks a table of sample numbers in rising order. Numbers count from 1, or from 0 where the first one is 0. */
    private final class KeyCursor {
        private final @Nullable Box table;
        private final int entries;
        private final long first;
        private int entry;

        KeyCursor(String type) throws BadPayload {
            Box box = BoxBytes.find(boxes, type);
            table = box;
            entries = box == null ? 0 : bytes.entries(box, box.from() + 4, box.from() + 8, 4);
            first = box == null || entries == 0 ? 1 : Math.min(1, bytes.u32(box.from() + 8));
        }

        boolean has(int sample) throws BadPayload {
            Box box = table;
            while (box != null && entry < entries) {
                long number = bytes.u32(box.from() + 8 + 4L * entry) - first;
                if (number > sample) {
                    return false;
                }
                entry++;
                if (number == sample) {
                    return true;
                }
            }
            return false;
        }
    }
}
