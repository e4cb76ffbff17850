package io.headrace.media.video.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.RangesView;
import io.headrace.media.video.Videos;
import io.headrace.media.video.Videos.Stream;
import io.headrace.media.video.container.Track.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real clips: what the header says is what FFmpeg's demultiplexer and decoders say. */
class MovieReaderTest {

    static List<Stream> streams() {
        return Videos.streams().stream().filter(Stream::isMp4).toList();
    }

    @ParameterizedTest
    @MethodSource("streams")
    void samplesAreThoseOfTheReference(Stream stream) throws Exception {
        Movie movie = movie(stream.file());
        Track track = movie.tracks().get(stream.index());
        SampleTable samples = movie.samples(track);

        assertThat(track.timescale()).isEqualTo(stream.node().get("time_base").get(1).asLong());
        long[] pos = stream.ticks("pos");
        long[] size = stream.ticks("size");
        long[] pts = stream.ticks("pts");
        long[] dts = stream.ticks("dts");
        List<Long> keys = Arrays.stream(stream.ticks("key")).boxed().toList();
        int sample = -1;
        int keysSeen = 0;
        for (int packet = 0; packet < pos.length; packet++) {
            sample = at(samples, pos[packet], sample);
            assertThat(samples.lengthBytes(sample)).isEqualTo((int) size[packet]);
            assertThat(samples.isKey(sample)).isEqualTo(keys.contains((long) packet));
            keysSeen += samples.isKey(sample) ? 1 : 0;
            long shift = samples.presentationTicks(sample) - samples.decodeTicks(sample);
            assertThat(shift - (pts[packet] - dts[packet]))
                    .as("composition offset of packet %d", packet)
                    .isEqualTo(
                            samples.presentationTicks(at(samples, pos[0], -1))
                                    - samples.decodeTicks(at(samples, pos[0], -1))
                                    - (pts[0] - dts[0]));
        }
        assertThat(keysSeen).isEqualTo(keys.size());
        if (!stream.file().contains("edit-")) {
            assertThat(samples.size()).isEqualTo(pos.length);
            assertThat(samples.keys()).isEqualTo(keys.size());
        }
    }

    /** The sample with this offset, looked for first right behind the last one. */
    private static int at(SampleTable samples, long offset, int last) {
        int sample = (last + 1) % samples.size();
        while (samples.offsetBytes(sample) != offset) {
            sample = (sample + 1) % samples.size();
        }
        return sample;
    }

    @ParameterizedTest
    @MethodSource("streams")
    void sizeAndOrientationAreThoseOfTheReference(Stream stream) throws Exception {
        if (!stream.isVideo()) {
            return;
        }
        Track track = movie(stream.file()).tracks().get(stream.index());
        assertThat(track.width()).isEqualTo(stream.node().get("width").asInt());
        assertThat(track.height()).isEqualTo(stream.node().get("height").asInt());
        Orientation expected =
                switch (stream.node().get("rotation").asInt()) {
                    case 0 -> Orientation.UPRIGHT;
                    case -90 -> Orientation.ROTATED_90;
                    case 90 -> Orientation.ROTATED_270;
                    default -> Orientation.ROTATED_180;
                };
        // PyAV gives an angle alone, which does not tell a mirror from half a turn.
        assertThat(track.orientation())
                .isEqualTo(
                        stream.file().endsWith("mirrored.mp4") ? Orientation.MIRRORED : expected);
    }

    @ParameterizedTest
    @CsvSource({
        "made/plain.mp4, avc1, H264",
        "made/hevc.mp4, hev1, H265",
        "made/vp9.mp4, vp09, VP9",
        "made/av1.mp4, av01, AV1",
        "made/mpeg4.mp4, mp4v, MPEG4",
        "made/mjpeg.mov, jpeg, MJPEG",
        "torchcodec/h265_video.mp4, hev1, H265",
        "decord/video_90.mov, avc1, H264"
    })
    void codecComesFromTheSampleEntry(String file, String entry, StreamCodec codec)
            throws Exception {
        Track track = movie(file).tracks().getFirst();
        assertThat(track.sampleEntry()).isEqualTo(entry);
        assertThat(track.codec()).isEqualTo(codec);
        boolean configured = codec != StreamCodec.VP9 && codec != StreamCodec.MJPEG;
        assertThat(track.configuration().byteSize() > 0).isEqualTo(configured);
    }

    @Test
    void aQuarterTurnSwapsTheSides() throws Exception {
        Track track = movie("made/rotated-90.mp4").tracks().getFirst();
        assertThat(track.orientation()).isEqualTo(Orientation.ROTATED_90);
        assertThat(track.orientation().swapsSides()).isTrue();
        assertThat(track.width()).isEqualTo(160);
        assertThat(track.height()).isEqualTo(120);
    }

    @Test
    void everyTrackIsNamed() throws Exception {
        Movie movie = movie("torchcodec/nasa_13013.mp4");
        assertThat(movie.timescale()).isEqualTo(1000);
        assertThat(movie.fragmented()).isFalse();
        assertThat(movie.tracks())
                .extracting(Track::kind)
                .containsExactly(
                        Kind.VIDEO, Kind.AUDIO, Kind.OTHER, Kind.VIDEO, Kind.AUDIO, Kind.OTHER);
        Track track = movie.tracks().get(3);
        assertThat(track.id()).isEqualTo(4);
        assertThat(track.enabled()).isTrue();
        assertThat(track.durationTicks()).isEqualTo(390_390);
        assertThat(track.edits()).containsExactly(new Edit(13_013, 2002));
        assertThat(movie.samples(track).totalBytes()).isEqualTo(209_483);
    }

    @Test
    void onlyHeadersAreRead() throws Exception {
        byte[] file = Videos.bytes("torchcodec/nasa_13013.mp4");
        RangesView view = new RangesView(ByteView.of(file));
        Movie movie = MovieReader.read(view);
        for (Track track : movie.tracks()) {
            if (track.kind() != Kind.OTHER) {
                movie.samples(track);
            }
        }
        assertThat(view.ranges())
                .containsExactly(
                        new RangesView.Range(0, 8),
                        new RangesView.Range(32, 40),
                        new RangesView.Range(40, 48),
                        new RangesView.Range(654_812, 654_820),
                        new RangesView.Range(654_812, 654_812 + 18_169));
    }

    @Test
    void aHeaderInFrontEndsTheReading() throws Exception {
        byte[] file = Videos.bytes("made/faststart.mp4");
        RangesView view = new RangesView(ByteView.of(file));
        assertThat(MovieReader.read(view).tracks()).hasSize(1);
        assertThat(view.readBytes()).isEqualTo(8 + 8 + 1105);
    }

    @Test
    void fragmentsAddSamples() throws Exception {
        Movie movie = movie("made/fragmented.mp4");
        assertThat(movie.fragmented()).isTrue();
        SampleTable samples = movie.samples(movie.tracks().getFirst());
        assertThat(samples.size()).isEqualTo(30);
        assertThat(samples.keys()).isEqualTo(3);
        assertThat(samples.presentationTicks(0)).isEqualTo(1024);
        assertThat(samples.decodeTicks(29)).isEqualTo(14_848);
        assertThat(samples.durationTicks(29)).isEqualTo(512);
    }

    @Test
    void aFragmentedFileThatIsCutKeepsItsWholeFragments() throws Exception {
        byte[] cut = Arrays.copyOf(Videos.bytes("made/fragmented.mp4"), 2700);
        Movie movie = MovieReader.read(ByteView.of(cut));
        SampleTable samples = movie.samples(movie.tracks().getFirst());
        assertThat(samples.size()).isEqualTo(20);
        assertThat(samples.samplesWithin(cut.length)).isEqualTo(20);
    }

    @Test
    void aFastStartFileCutAtHalfKnowsWhichSamplesAreThere() throws Exception {
        byte[] file = Videos.bytes("made/faststart.mp4");
        byte[] cut = Arrays.copyOf(file, file.length / 2);
        Movie movie = MovieReader.read(ByteView.of(cut));
        SampleTable samples = movie.samples(movie.tracks().getFirst());
        assertThat(samples.size()).isEqualTo(30);
        int there = samples.samplesWithin(cut.length);
        assertThat(there).isBetween(1, 29);
        assertThat(samples.offsetBytes(there - 1) + samples.lengthBytes(there - 1))
                .isLessThanOrEqualTo(cut.length);
        assertThat(samples.offsetBytes(there) + samples.lengthBytes(there))
                .isGreaterThan(cut.length);
    }

    @Test
    void aFileWhoseHeaderWasCutOffSaysSo() {
        byte[] file = Videos.bytes("made/plain.mp4");
        byte[] cut = Arrays.copyOf(file, file.length / 2);
        BadPayload error = Movies.refused(cut);
        assertThat(error.reason()).isEqualTo(Reason.TRUNCATED);
        assertThat(error).hasMessageContaining("mdat of 2078 bytes").hasMessageContaining("moov");
        assertThat(error.offsetBytes()).isEqualTo(40);
    }

    private static Movie movie(String file) throws Exception {
        return MovieReader.read(ByteView.of(Videos.bytes(file)));
    }
}
