package io.headrace.media.video.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.container.Track.Kind;
import io.headrace.media.video.frames.DecodePlan;
import io.headrace.media.video.frames.FrameIndex;
import io.headrace.media.video.frames.FrameIndexReader;
import io.headrace.media.video.frames.FrameSampling;
import java.io.IOException;

/** Reads everything that a movie's header offers. */
final class Movies {
    private Movies() {}

    /** Reads the header, all sample tables, the frames of each and the packets for some; returns the number of samples. */
    static long samples(ByteView view) throws BadPayload, IOException {
        Movie movie = MovieReader.read(view);
        long samples = 0;
        for (Track track : movie.tracks()) {
            if (track.kind() != Kind.OTHER) {
                SampleTable table = movie.samples(track);
                samples += table.size();
                FrameIndex index = FrameIndexReader.read(movie, track, view.lengthBytes());
                if (index.size() > 0) {
                    int shown = index.shownAt(index.beginSeconds() + 0.5);
                    assertThat(DecodePlan.of(index, 0, shown, index.size() - 1)).isNotEmpty();
                    assertThat(FrameSampling.atRate(index, 2, 64).length).isBetween(1, 64);
                }
            }
        }
        return samples;
    }

    static SampleTable only(byte[] file) throws BadPayload, IOException {
        Movie movie = MovieReader.read(ByteView.of(file));
        return movie.samples(movie.tracks().getFirst());
    }

    static BadPayload refused(byte[] file) {
        return assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> samples(ByteView.of(file)))
                .actual();
    }
}
