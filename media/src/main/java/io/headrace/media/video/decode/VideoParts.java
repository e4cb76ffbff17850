package io.headrace.media.video.decode;

import io.headrace.media.video.frames.DecodePlan;
import io.headrace.media.video.frames.FrameIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the decoding of one video into parts that share no packet, so that several decoders work on it at once and decode together what one
 * would. A cut lies where the next wanted frame starts at a key behind everything before it.
 */
public final class VideoParts {
    private VideoParts() {}

    /** All frames as one part. */
    public static VideoPart whole(FrameIndex index, int... wanted) {
        int packets = DecodePlan.samples(DecodePlan.of(index, wanted));
        return new VideoPart(0, wanted.length, packets);
    }

    /**
     * At most {@code parts} parts of nearly equal cost, in the order of the frames; fewer where keys are rare.
     *
     * @param wanted places in display order, rising
     */
    public static List<VideoPart> split(FrameIndex index, int[] wanted, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("Split into %d parts".formatted(parts));
        }
        List<VideoPart> smallest = atKeys(index, wanted);
        int most = 0;
        int all = 0;
        for (VideoPart part : smallest) {
            most = Math.max(most, part.packets());
            all += part.packets();
        }
        int low = Math.max(most, Math.ceilDiv(all, parts));
        int high = all;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (joined(smallest, middle).size() <= parts) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return joined(smallest, low);
    }

    /** Joins neighbours as long as they cost no more than {@code most} together. */
    private static List<VideoPart> joined(List<VideoPart> smallest, int most) {
        List<VideoPart> parts = new ArrayList<>();
        for (VideoPart next : smallest) {
            VideoPart last = parts.isEmpty() ? null : parts.getLast();
            if (last != null && last.packets() + next.packets() <= most) {
                parts.removeLast();
                parts.add(new VideoPart(last.from(), next.end(), last.packets() + next.packets()));
            } else {
                parts.add(next);
            }
        }
        return parts;
    }

    /** The most parts that share no packet. */
    private static List<VideoPart> atKeys(FrameIndex index, int[] wanted) {
        List<VideoPart> parts = new ArrayList<>();
        int[] needs = new int[wanted.length + 1];
        needs[wanted.length] = Integer.MAX_VALUE;
        for (int k = wanted.length - 1; k >= 0; k--) {
            needs[k] = Math.min(needs[k + 1], DecodePlan.start(index, wanted[k]));
        }
        int from = 0;
        int end = 0;
        for (int k = 0; k < wanted.length; k++) {
            end = Math.max(end, index.sample(wanted[k]) + 1);
            if (needs[k + 1] >= end) {
                int[] frames = java.util.Arrays.copyOfRange(wanted, from, k + 1);
                parts.add(
                        new VideoPart(
                                from, k + 1, DecodePlan.samples(DecodePlan.of(index, frames))));
                from = k + 1;
            }
        }
        return parts;
    }
}
