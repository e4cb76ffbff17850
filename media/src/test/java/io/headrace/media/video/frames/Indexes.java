package io.headrace.media.video.frames;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.Videos;
import io.headrace.media.video.container.Movie;
import io.headrace.media.video.container.MovieReader;
import io.headrace.media.video.container.SampleTableBuilder;
import java.io.IOException;
import java.util.Arrays;

/** Indexes of clips and of made-up tables. */
final class Indexes {
    private Indexes() {}

    static FrameIndex of(String file, int track) throws BadPayload, IOException {
        return of(Videos.bytes(file), track);
    }

    static FrameIndex of(byte[] file, int track) throws BadPayload, IOException {
        Movie movie = MovieReader.read(ByteView.of(file));
        return FrameIndexReader.read(movie, movie.tracks().get(track), file.length);
    }

    /** Samples of one tick and ten bytes each, in decode order; {@code keys} are their numbers. */
    static FrameIndex of(Timebase timebase, long[] presentation, int... keys) throws BadPayload {
        SampleTableBuilder table = new SampleTableBuilder();
        for (int i = 0; i < presentation.length; i++) {
            boolean key = false;
            for (int one : keys) {
                key |= one == i;
            }
            table.add(i, presentation[i], 1, 10L * i, 10, key);
        }
        long end = Arrays.stream(presentation).max().orElse(0) + 1;
        return FrameIndexReader.of(table.build(), timebase, end, 0);
    }

    static long[] ticks(FrameIndex index) {
        long[] ticks = new long[index.size()];
        for (int frame = 0; frame < ticks.length; frame++) {
            ticks[frame] = index.ticks(frame);
        }
        return ticks;
    }
}
