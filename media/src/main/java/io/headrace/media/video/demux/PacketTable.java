package io.headrace.media.video.demux;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.video.container.SampleTable;
import io.headrace.media.video.container.SampleTableBuilder;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.FrameIndex;
import io.headrace.media.video.frames.FrameIndexReader;
import io.headrace.media.video.frames.Timebase;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Packets of a stream as they come, until the last one is known: only then can those without a presentation time be put into display
 * order. A packet's decode time in the table is the time of the frame with its number in display order, as for a decoder without delay.
 */
final class PacketTable {
    /** A time that the container does not tell. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final PictureOrder order;
    private int size;
    private long[] shown = new long[64];
    private long[] decoded = new long[64];
    private long[] durations = new long[64];
    private long[] offsets = new long[64];
    private int[] lengths = new int[64];
    private final BitSet keys = new BitSet();
    private int missing;
    private boolean putInOrder;

    PacketTable(StreamCodec codec) {
        order = new PictureOrder(codec);
    }

    PictureOrder order() {
        return order;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Leaves presentation times aside: packets are put into the order of their pictures, which must be added for each. */
    void putInOrder() {
        putInOrder = true;
    }

    boolean isPutInOrder() {
        return putInOrder;
    }

    /** Counts a packet that the end of the payload cut short. */
    void miss() {
        missing++;
    }

    void add(
            long shownTicks, long decodedTicks, long duration, long offset, int length, boolean key)
            throws BadPayload {
        if (size == SampleTable.MOST_SAMPLES) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "Video of more than %d packets".formatted(SampleTable.MOST_SAMPLES),
                    offset);
        }
        if (size == shown.length) {
            shown = Arrays.copyOf(shown, 2 * size);
            decoded = Arrays.copyOf(decoded, 2 * size);
            durations = Arrays.copyOf(durations, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
            lengths = Arrays.copyOf(lengths, 2 * size);
        }
        shown[size] = shownTicks == UNKNOWN ? follow(size) : shownTicks;
        decoded[size] = decodedTicks;
        durations[size] = Math.max(0, duration);
        offsets[size] = offset;
        lengths[size] = length;
        keys.set(size, key);
        size++;
    }

    /** The end of the packet before this one. */
    private long follow(int packet) {
        return packet == 0 ? 0 : shown[packet - 1] + Math.max(1, durations[packet - 1]);
    }

    /** The frames of all packets. */
    FrameIndex index(Timebase timebase) throws BadPayload {
        if (putInOrder) {
            showInOrder();
        }
        long[] display = Arrays.copyOf(shown, size);
        Arrays.sort(display);
        SampleTableBuilder table = new SampleTableBuilder();
        long end = 0;
        for (int i = 0; i < size; i++) {
            long next = i + 1 < size ? display[i + 1] : display[i] + durations[i];
            table.add(display[i], shown[i], next - display[i], offsets[i], lengths[i], keys.get(i));
            end = Math.max(end, shown[i] + durations[i]);
        }
        return FrameIndexReader.of(table.build(), timebase, end, missing);
    }

    /** Gives the decode times, in rising order, to the packets in display order; one that is unknown follows the one before. */
    private void showInOrder() {
        int[] ranks = order.ranks();
        long[] times = new long[size];
        for (int i = 0; i < size; i++) {
            long before = i == 0 ? 0 : times[i - 1] + Math.max(1, durations[i - 1]);
            times[i] = decoded[i] == UNKNOWN ? before : decoded[i];
        }
        Arrays.sort(times);
        for (int i = 0; i < size; i++) {
            shown[i] = times[ranks[i]];
        }
    }
}
