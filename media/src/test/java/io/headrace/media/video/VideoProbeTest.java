package io.headrace.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile.Container;
import io.headrace.media.video.Videos.Stream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One call tells what a descriptor needs, whatever the container. */
class VideoProbeTest {

    static List<Stream> mainStreams() {
        return Videos.streams().stream().filter(s -> s.isVideo() && s.isBest()).toList();
    }

    private static VideoFile read(String file) throws Exception {
        return VideoProbe.read(ByteView.of(Videos.bytes(file)));
    }

    @ParameterizedTest
    @MethodSource("mainStreams")
    void theMainStreamIsThatOfTheReference(Stream stream) throws Exception {
        VideoFile video = read(stream.file());
        assertThat(video.stream()).isEqualTo(stream.index());
        assertThat(video.width()).isEqualTo(stream.node().get("width").asInt());
        assertThat(video.height()).isEqualTo(stream.node().get("height").asInt());
        int frames = stream.ticks("frames").length;
        if (stream.file().endsWith("corrupted.mp4")) {
            frames = 50;
        } else if (stream.file().endsWith("edit-back.mp4")) {
            frames = 15;
        }
        assertThat(video.index().size()).isEqualTo(frames);
    }

    @Test
    void everyClipHasOneMainStream() {
        assertThat(mainStreams()).hasSize(Videos.files().size());
    }

    @Test
    void rotationSwapsTheSides() throws Exception {
        VideoFile made = read("made/rotated-90.mp4");
        assertThat(made.uprightWidth()).isEqualTo(120);
        assertThat(made.uprightHeight()).isEqualTo(160);
        VideoFile decord = read("decord/video_90.mov");
        assertThat(decord.orientation()).isEqualTo(Orientation.ROTATED_90);
        assertThat(decord.uprightWidth()).isEqualTo(320);
        assertThat(decord.uprightHeight()).isEqualTo(568);
        assertThat(read("decord/video_0.mov").uprightWidth()).isEqualTo(568);
    }

    @Test
    void containersAreKnownByTheirBytes() throws Exception {
        assertThat(read("made/mjpeg.mov").container()).isEqualTo(Container.MP4);
        assertThat(read("made/vp8.webm").container()).isEqualTo(Container.MATROSKA);
        assertThat(read("made/mpeg4.avi").container()).isEqualTo(Container.AVI);
        assertThat(refused(Videos.bytes("decord/LICENSE")).reason()).isEqualTo(Reason.UNSUPPORTED);
        assertThat(refused(new byte[0]).reason()).isEqualTo(Reason.EMPTY);
        assertThat(refused(new byte[] {1, 2, 3})).hasMessageEndingWith("begins with 01 02 03");
    }

    @Test
    void aDamagedFileEndsInBoundedTimeWithWhatItsHeaderSays() throws Exception {
        VideoFile video = read("decord/corrupted.mp4");
        assertThat(video.index().size()).isEqualTo(50);
        assertThat(video.index().missingSamples()).isZero();
    }

    @Test
    void filesCutAtHalf() throws Exception {
        assertThat(half("made/faststart.mp4").index().missingSamples()).isPositive();
        byte[] file = Videos.bytes("made/plain.mp4");
        assertThat(refused(Arrays.copyOf(file, file.length / 2)).reason())
                .isEqualTo(Reason.TRUNCATED);
        assertThat(half("made/h264.mkv").index().size()).isBetween(1, 29);
        assertThat(half("decord/flipping_a_pancake.mkv").index().size()).isBetween(100, 200);
    }

    private static VideoFile half(String file) throws Exception {
        byte[] bytes = Videos.bytes(file);
        return VideoProbe.read(ByteView.of(Arrays.copyOf(bytes, bytes.length / 2)));
    }

    @Test
    void aReadThatFailsIsTold() {
        byte[] file = Videos.bytes("made/vp9.webm");
        ByteView broken =
                new ByteView() {
                    @Override
                    public long lengthBytes() {
                        return file.length;
                    }

                    @Override
                    public int read(long offsetBytes, byte[] target, int length)
                            throws IOException {
                        if (length > 12) {
                            throw new IOException("Disk gone");
                        }
                        return ByteView.of(file).read(offsetBytes, target, length);
                    }
                };
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> VideoProbe.read(broken))
                .withMessage("Disk gone");
    }

    private static BadPayload refused(byte[] payload) {
        return assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> VideoProbe.read(ByteView.of(payload)))
                .actual();
    }
}
