package io.headrace.media.video.frames;

import io.headrace.media.video.container.SampleTable;

/**
 * Sorts by time without boxing: a stable merge sort from the bottom up, since decode order is nearly display order. What has equal
 * times keeps its order.
 */
final class DisplayOrder {
    private DisplayOrder() {}

    /** The first {@code count} samples by presentation time. */
    static int[] of(SampleTable samples, int count) {
        long[] ticks = new long[count];
        for (int sample = 0; sample < count; sample++) {
            ticks[sample] = samples.presentationTicks(sample);
        }
        return of(ticks, count);
    }

    /** The places of the first {@code count} times, by time. */
    static int[] of(long[] ticks, int count) {
        int[] order = new int[count];
        boolean sorted = true;
        for (int i = 0; i < count; i++) {
            order[i] = i;
            sorted &= i == 0 || ticks[i - 1] <= ticks[i];
        }
        if (sorted) {
            return order;
        }
        int[] spare = new int[count];
        for (long width = 1; width < count; width *= 2) {
            for (long from = 0; from < count; from += 2 * width) {
                int middle = (int) Math.min(from + width, count);
                int end = (int) Math.min(from + 2 * width, count);
                merge(ticks, order, spare, (int) from, middle, end);
            }
            int[] merged = spare;
            spare = order;
            order = merged;
        }
        return order;
    }

    /** How much later than in display order a sample is decoded, at most. */
    static int depth(int[] order) {
        int depth = 0;
        for (int rank = 0; rank < order.length; rank++) {
            depth = Math.max(depth, order[rank] - rank);
        }
        return depth;
    }

    private static void merge(
            long[] ticks, int[] source, int[] target, int from, int middle, int end) {
        int left = from;
        int right = middle;
        for (int i = from; i < end; i++) {
            boolean takesLeft =
                    left < middle && (right >= end || ticks[source[left]] <= ticks[source[right]]);
            target[i] = takesLeft ? source[left++] : source[right++];
        }
    }
}
