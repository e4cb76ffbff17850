package io.headrace.media.video.frames;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.video.container.Edit;
import io.headrace.media.video.container.Movie;
import io.headrace.media.video.container.SampleTable;
import io.headrace.media.video.container.Track;
import java.util.List;

/**
 * Makes a {@link FrameIndex} of a sample table. The times of edits are those of FFmpeg (mov_fix_index in libavformat/mov.c), which
 * every loader in use builds on: a frame belongs to an edit if it begins within it, and the first frame shown begins at 0 or where the
 * empty edits before it end.
 */
public final class FrameIndexReader {
    private static final long MOST_TICKS = 1L << 60;

    private FrameIndexReader() {}

    /**
     * The frames of a track.
     *
     * @param payloadBytes length of the payload; samples that lie beyond it are left out and counted
     */
    public static FrameIndex read(Movie movie, Track track, long payloadBytes) throws BadPayload {
        SampleTable samples = movie.samples(track);
        int there = samples.samplesWithin(payloadBytes);
        Timebase timebase = new Timebase(1, track.timescale());
        int[] order = DisplayOrder.of(samples, there);
        List<Edit> edits = movie.timescale() == 0 ? List.of() : track.edits();
        Frames frames = new Frames(samples, there);
        if (edits.isEmpty()) {
            frames.addAll(order, 0);
        } else if (movie.fragmented()) {
            frames.addAll(order, -offset(edits, track.timescale(), movie.timescale()));
        } else {
            edit(frames, order, edits, track.timescale(), movie.timescale());
        }
        return frames.index(timebase, DisplayOrder.depth(order));
    }

    /**
     * The frames of a table whose times need no edit.
     *
     * @param endTicks when the last frame ends
     * @param missingSamples packets that were cut off
     */
    public static FrameIndex of(
            SampleTable samples, Timebase timebase, long endTicks, int missingSamples) {
        int[] order = DisplayOrder.of(samples, samples.size());
        long[] ticks = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            ticks[i] = samples.presentationTicks(order[i]);
        }
        return new FrameIndex(
                timebase,
                samples,
                ticks,
                order,
                endTicks,
                missingSamples,
                DisplayOrder.depth(order));
    }

    /** In a fragmented file an edit list only moves the times: by an empty edit in front, and by the media time behind it. */
    private static long offset(List<Edit> edits, long trackScale, long movieScale) {
        Edit first = edits.getFirst();
        if (!first.isEmpty()) {
            return bounded(first.mediaTicks());
        }
        long start =
                edits.size() > 1 && !edits.get(1).isEmpty()
                        ? bounded(edits.get(1).mediaTicks())
                        : 0;
        return start - rescaled(first.durationTicks(), trackScale, movieScale);
    }

    private static void edit(
            Frames frames, int[] order, List<Edit> edits, long trackScale, long movieScale)
            throws BadPayload {
        SampleTable samples = frames.samples;
        long at = 0;
        long emptyTicks = 0;
        long firstTicks = Long.MAX_VALUE;
        for (int i = 0; i < edits.size(); i++) {
            Edit edit = edits.get(i);
            long duration = rescaled(edit.durationTicks(), trackScale, movieScale);
            if (edit.isEmpty()) {
                emptyTicks += firstTicks == Long.MAX_VALUE ? duration : 0;
            } else {
                boolean toTheEnd = duration == 0 && i == edits.size() - 1;
                long media = bounded(edit.mediaTicks());
                int from = firstFrom(samples, order, media);
                int end = toTheEnd ? order.length : firstFrom(samples, order, media + duration);
                if (from < end) {
                    long shift = at - samples.decodeTicks(least(order, from, end));
                    frames.add(order, from, end, shift);
                    firstTicks =
                            Math.min(firstTicks, shift + samples.presentationTicks(order[from]));
                }
            }
            at = bounded(at + duration);
        }
        frames.shift(-Math.max(0, firstTicks - bounded(emptyTicks)));
    }

    /** The place in display order of the first sample that is shown at or after a media time. */
    private static int firstFrom(SampleTable samples, int[] order, long ticks) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (samples.presentationTicks(order[middle]) < ticks) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The sample of a range of the display order that is decoded first. */
    private static int least(int[] order, int from, int end) {
        int least = order[from];
        for (int i = from + 1; i < end; i++) {
            least = Math.min(least, order[i]);
        }
        return least;
    }

    /** Ticks of another clock, rounded to the nearest, as av_rescale does. */
    private static long rescaled(long ticks, long to, long from) {
        double exact = (double) ticks * to / from;
        if (exact >= MOST_TICKS || Math.multiplyHigh(ticks, to) != 0) {
            return MOST_TICKS;
        }
        long product = ticks * to;
        return product < 0 ? MOST_TICKS : product / from + (product % from * 2 >= from ? 1 : 0);
    }

    private static long bounded(long ticks) {
        return Math.min(ticks, MOST_TICKS);
    }

    /** Frames as they are found; grows to at most {@link SampleTable#MOST_SAMPLES}, since an edit list may repeat samples. */
    private static final class Frames {
        private final SampleTable samples;
        private final int missing;
        private long[] ticks = {};
        private int[] sample = {};
        private int size;

        Frames(SampleTable samples, int there) {
            this.samples = samples;
            missing = samples.size() - there;
        }

        void addAll(int[] order, long shift) throws BadPayload {
            add(order, 0, order.length, shift);
        }

        void add(int[] order, int from, int end, long shift) throws BadPayload {
            int needed = size + end - from;
            if (needed > SampleTable.MOST_SAMPLES) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "Edit list that shows %d frames or more; at most %d are read"
                                .formatted(needed, SampleTable.MOST_SAMPLES));
            }
            if (needed > ticks.length) {
                int capacity = Math.max(needed, Math.min(2 * size, SampleTable.MOST_SAMPLES));
                ticks = java.util.Arrays.copyOf(ticks, capacity);
                sample = java.util.Arrays.copyOf(sample, capacity);
            }
            for (int i = from; i < end; i++) {
                ticks[size] = samples.presentationTicks(order[i]) + shift;
                sample[size++] = order[i];
            }
        }

        void shift(long by) {
            for (int i = 0; i < size; i++) {
                ticks[i] += by;
            }
        }

        FrameIndex index(Timebase timebase, int reorderDepth) {
            int[] order = DisplayOrder.of(ticks, size);
            long[] sortedTicks = new long[size];
            int[] sortedSamples = new int[size];
            for (int i = 0; i < size; i++) {
                sortedTicks[i] = ticks[order[i]];
                sortedSamples[i] = sample[order[i]];
            }
            long end = 0;
            if (size > 0) {
                long last = samples.durationTicks(sortedSamples[size - 1]);
                end = sortedTicks[size - 1] + Math.max(0, last);
            }
            return new FrameIndex(
                    timebase, samples, sortedTicks, sortedSamples, end, missing, reorderDepth);
        }
    }
}
