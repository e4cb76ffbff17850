package io.headrace.media.video.container;

import io.headrace.engine.descriptor.BadPayload;

/** Walks a table of runs (stts, ctts): pairs of a sample count and the value that holds for so many samples. */
final class RunCursor {
    private final BoxBytes bytes;
    private final int entries;
    private long at;
    private int entry;
    private long left;
    private int value;

    RunCursor(BoxBytes bytes, Box table) throws BadPayload {
        this.bytes = bytes;
        entries = bytes.entries(table, table.from() + 4, table.from() + 8, 8);
        at = table.from() + 8;
    }

    int entries() {
        return entries;
    }

    /** The value of the next sample; behind the last run {@code beyond} decides whether it goes on or counts as 0. */
    int next(Beyond beyond) throws BadPayload {
        while (left == 0 && entry < entries) {
            left = bytes.u32(at);
            value = bytes.i32(at + 4);
            at += 8;
            entry++;
        }
        if (left == 0) {
            return beyond == Beyond.LAST ? value : 0;
        }
        left--;
        return value;
    }

    /** What samples behind the last run have. */
    enum Beyond {
        LAST,
        ZERO
    }
}
