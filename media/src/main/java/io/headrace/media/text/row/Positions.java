package io.headrace.media.text.row;

import io.headrace.media.text.EncodedText;
import io.headrace.media.text.MediaSize;
import io.headrace.media.text.MediaSpan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/** Position ids of one sample, from 0 on: a pack's samples do not see each other. */
final class Positions {

    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Positions() {}

    /** Writes 0, 1, 2 and so on as int64 from element {@code offset} on. */
    static void sequential(int lengthTokens, MemorySegment out, long offset) {
        for (int i = 0; i < lengthTokens; i++) {
            out.setAtIndex(LONG, offset + i, i);
        }
    }

    /**
     * Writes time, height and width positions as {@code Qwen2_5_VLModel.get_rope_index} of transformers gives them: text counts up on
     * all three alike; a token of a picture in row r and column c of its merged grid that starts at p has (p, p + r, p + c), one of a
     * video's time t (p + floor(t * interval), p + r, p + c); what follows goes on at p + max(rows, columns), however long the video.
     */
    static void mrope(EncodedText text, List<MemorySegment> planes, long offset) {
        int position = 0;
        int token = 0;
        for (MediaSpan span : text.media()) {
            position = text(planes, offset, token, span.startToken(), position);
            media(planes, offset + span.startToken(), span.size(), position);
            position += Math.max(span.size().gridHeight(), span.size().gridWidth());
            token = span.endToken();
        }
        text(planes, offset, token, text.lengthTokens(), position);
    }

    private static int text(List<MemorySegment> planes, long offset, int from, int to, int first) {
        for (MemorySegment plane : planes) {
            for (int i = from; i < to; i++) {
                plane.setAtIndex(LONG, offset + i, first + i - from);
            }
        }
        return first + to - from;
    }

    private static void media(List<MemorySegment> planes, long offset, MediaSize size, int first) {
        long at = offset;
        for (int time = 0; time < size.gridTime(); time++) {
            long shown = first + (long) (time * size.timeInterval());
            for (int row = 0; row < size.gridHeight(); row++) {
                for (int column = 0; column < size.gridWidth(); column++, at++) {
                    planes.get(0).setAtIndex(LONG, at, shown);
                    planes.get(1).setAtIndex(LONG, at, first + row);
                    planes.get(2).setAtIndex(LONG, at, first + column);
                }
            }
        }
    }
}
