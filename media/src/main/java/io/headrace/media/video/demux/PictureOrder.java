package io.headrace.media.video.demux;

import io.headrace.media.video.container.StreamCodec;
import java.util.Arrays;

/**
 * The display order of packets that have no presentation times, as AVI stores them, from what each picture says of itself. H.264 and
 * H.265 count pictures within a coded sequence; MPEG-2 and MPEG-4 show a reference picture when the next one comes.
 */
final class PictureOrder {
    private final boolean counted;
    private int size;
    private long[] counts = new long[64];
    private boolean[] keys = new boolean[64];
    private boolean[] shownAtOnce = new boolean[64];

    PictureOrder(StreamCodec codec) {
        counted = codec == StreamCodec.H264 || codec == StreamCodec.H265;
    }

    /**
     * Adds the next packet in decode order.
     *
     * @param count its picture order count
     * @param isShownAtOnce whether no other picture is shown between its decoding and itself: a B picture
     */
    void add(long count, boolean key, boolean isShownAtOnce) {
        if (size == counts.length) {
            counts = Arrays.copyOf(counts, 2 * size);
            keys = Arrays.copyOf(keys, 2 * size);
            shownAtOnce = Arrays.copyOf(shownAtOnce, 2 * size);
        }
        counts[size] = count;
        keys[size] = key;
        shownAtOnce[size++] = isShownAtOnce;
    }

    /** For each packet its place in display order. */
    int[] ranks() {
        return counted ? byCount() : byKind();
    }

    /** Sorts each coded sequence by count. A sequence begins at a key whose count is not above all before it. */
    private int[] byCount() {
        int[] ranks = new int[size];
        int from = 0;
        long highest = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            if (i > from && keys[i] && counts[i] <= highest) {
                rank(ranks, from, i);
                from = i;
                highest = Long.MIN_VALUE;
            }
            highest = Math.max(highest, counts[i]);
        }
        rank(ranks, from, size);
        return ranks;
    }

    private void rank(int[] ranks, int from, int end) {
        Integer[] order = new Integer[end - from];
        Arrays.setAll(order, i -> from + i);
        Arrays.sort(order, (a, b) -> Long.compare(counts[a], counts[b]));
        for (int i = 0; i < order.length; i++) {
            ranks[order[i]] = from + i;
        }
    }

    private int[] byKind() {
        int[] ranks = new int[size];
        int next = 0;
        int held = -1;
        for (int i = 0; i < size; i++) {
            if (shownAtOnce[i]) {
                ranks[i] = next++;
            } else {
                if (held >= 0) {
                    ranks[held] = next++;
                }
                held = i;
            }
        }
        if (held >= 0) {
            ranks[held] = next;
        }
        return ranks;
    }
}
