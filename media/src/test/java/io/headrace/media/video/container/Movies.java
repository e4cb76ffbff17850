package io.headrace.media.video.container;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.container.Track.Kind;
import java.io.IOException;

/** Reads everything that a movie's header offers. */
final class Movies {
    private Movies() {}

    /** Reads the header and all sample tables; returns the number of samples. */
    static long samples(ByteView view) throws BadPayload, IOException {
        Movie movie = MovieReader.read(view);
        long samples = 0;
        for (Track track : movie.tracks()) {
            if (track.kind() != Kind.OTHER) {
                SampleTable table = movie.samples(track);
                samples += table.size() + 0L * table.samplesWithin(view.lengthBytes());
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
