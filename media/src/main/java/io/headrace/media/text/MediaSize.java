package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.video.FrameTimes;
import java.util.Collections;
import java.util.List;

/**
 * What a picture, video or audio takes in the sequence: a grid of tokens, laid out time by time and row by row. Audio is one column of
 * times.
 *
 * @param gridTime times; 1 for a picture, 0 where the model keeps media out of the text
 * @param gridHeight rows of tokens: the patch grid after the merge
 * @param gridWidth tokens of a row
 * @param timeInterval time positions from one time to the next, in float32 as the reference has it; only videos have one that counts
 * @param times seconds that stand before each of the grid's times, which then has a start and an end of its own; empty: none do
 */
public record MediaSize(
        MediaKind kind,
        int gridTime,
        int gridHeight,
        int gridWidth,
        float timeInterval,
        List<String> times) {
    public MediaSize {
        times = List.copyOf(times);
        if (!times.isEmpty() && times.size() != gridTime) {
            throw new IllegalArgumentException(times.size() + " times of " + gridTime);
        }
        if (gridTime < 0 || gridHeight < 0 || gridWidth < 0) {
            throw new IllegalArgumentException(
                    "Tokens in a grid of %d x %d x %d".formatted(gridTime, gridHeight, gridWidth));
        }
    }

    /** Media without times among the text. */
    public MediaSize(
            MediaKind kind, int gridTime, int gridHeight, int gridWidth, float timeInterval) {
        this(kind, gridTime, gridHeight, gridWidth, timeInterval, List.of());
    }

    /** A picture of a grid of tokens. */
    public static MediaSize image(int gridHeight, int gridWidth) {
        return new MediaSize(MediaKind.IMAGE, 1, gridHeight, gridWidth, 0);
    }

    /** Media that the model keeps out of the text. */
    public static MediaSize apart(MediaKind kind) {
        return new MediaSize(kind, 0, 0, 0, 0);
    }

    /**
     * The size of a laid-out picture. The patch grid is merged by the square root of patches a token; a model without a grid counts as
     * one row of tokens.
     */
    public static MediaSize of(ImageLayout layout) {
        int tokens = layout.tokens();
        long patches = (long) layout.gridHeight() * layout.gridWidth();
        if (tokens == 0) {
            return apart(MediaKind.IMAGE);
        }
        if (patches == 0) {
            return image(1, tokens);
        }
        int merge = (int) Math.round(Math.sqrt((double) patches / tokens));
        return image(layout.gridHeight() / merge, layout.gridWidth() / merge);
    }

    /** Positions that it takes, its times and what stands around them included. */
    public int tokens() {
        return features() + FrameTimes.tokens(times) + 2 * times.size();
    }

    /** Itself, or its single times where each stands apart. */
    List<MediaSize> spans() {
        return times.isEmpty()
                ? List.of(this)
                : Collections.nCopies(
                        gridTime, new MediaSize(kind, 1, gridHeight, gridWidth, timeInterval));
    }

    /** Positions of its features. */
    int features() {
        return Math.multiplyExact(gridTime, Math.multiplyExact(gridHeight, gridWidth));
    }
}
