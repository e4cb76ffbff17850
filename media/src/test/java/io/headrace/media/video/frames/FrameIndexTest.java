package io.headrace.media.video.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.media.video.Videos;
import io.headrace.media.video.Videos.Stream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of frames are those that ffprobe and PyAV give, without decoding one. */
class FrameIndexTest {

    static List<Stream> streams() {
        return Videos.streams().stream().filter(Stream::isMp4).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4})
    void everyTimeOfThePublishedListsIsFound(int stream) throws Exception {
        JsonNode frames =
                Videos.json(
                        "torchcodec/nasa_13013.mp4.stream%d.all_frames_info.json"
                                .formatted(stream));
        FrameIndex index = Indexes.of("torchcodec/nasa_13013.mp4", stream);
        assertThat(index.size()).isEqualTo(frames.size());
        for (int frame = 0; frame < index.size(); frame++) {
            JsonNode one = frames.get(frame);
            assertThat(sixDigits(index.seconds(frame))).isEqualTo(one.get("pts_time").asText());
            assertThat(sixDigits(index.timebase().seconds(index.durationTicks(frame))))
                    .isEqualTo(one.get("duration_time").asText());
        }
    }

    private static String sixDigits(double seconds) {
        return String.format(Locale.ROOT, "%.6f", seconds);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void timesAreThoseOfTheReference(Stream stream) throws Exception {
        FrameIndex index = Indexes.of(stream.file(), stream.index());
        assertThat(Indexes.ticks(index)).isEqualTo(expected(stream));
        assertThat(index.missingSamples()).isZero();
    }

    /** Times of decoded frames; where the data is broken, of packets that are shown. */
    private static long[] expected(Stream stream) {
        if (stream.file().endsWith("edit-back.mp4")) {
            // FFmpeg shows a frame during an empty edit that is not the first; ISO/IEC 14496-12
            // shows nothing.
            return LongStream.concat(
                            LongStream.range(0, 6).map(k -> 512 * k),
                            LongStream.range(0, 9).map(k -> 3072 + 1536 + 512 * k))
                    .toArray();
        }
        if (!stream.node().has("error")) {
            return stream.ticks("frames");
        }
        long[] pts = stream.ticks("pts");
        long[] discarded = stream.ticks("discard");
        return IntStream.range(0, pts.length)
                .filter(i -> Arrays.stream(discarded).noneMatch(d -> d == i))
                .mapToLong(i -> pts[i])
                .sorted()
                .toArray();
    }

    @Test
    void aHeaderThatCountsMoreFramesThanItsEditShows() throws Exception {
        FrameIndex index = Indexes.of("hf/test_video_66x50.mov", 0);
        assertThat(index.samples().size()).isEqualTo(87);
        assertThat(index.size()).isEqualTo(82);
        assertThat(index.beginSeconds()).isZero();
        assertThat(index.endSeconds()).isEqualTo(8200 / 6000.0);
        assertThat(index.meanRate()).isEqualTo(60.0);
    }

    @Test
    void theFrameOfAVariableRateIsTheOneShown() throws Exception {
        FrameIndex index = Indexes.of("made/vfr.mp4", 0);
        assertThat(index.size()).isEqualTo(40);
        assertThat(index.shownAt(0.95)).isEqualTo(9);
        assertThat(index.seconds(9)).isEqualTo(0.9);
        assertThat(index.shownAt(0.9)).isEqualTo(9);
        assertThat(index.shownAt(Math.nextDown(0.9))).isEqualTo(8);
        assertThat(index.shownAt(1.0)).isEqualTo(10);
        assertThat(index.shownAt(-1)).isZero();
        assertThat(index.shownAt(99)).isEqualTo(39);
        assertThat(index.durationTicks(9)).isEqualTo(1536);
        assertThat(index.durationTicks(10)).isEqualTo(512);
        assertThat(index.durationTicks(39)).isEqualTo(512);
        assertThat(index.endSeconds()).isEqualTo(2.0);
        assertThat(index.meanRate()).isEqualTo(20.0);
        assertThatThrownBy(() -> index.shownAt(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyFrameOfEveryClipIsShownAtItsOwnTime() throws Exception {
        for (Stream stream : streams()) {
            FrameIndex index = Indexes.of(stream.file(), stream.index());
            for (int frame = 0; frame < index.size(); frame++) {
                assertThat(index.shownAt(index.seconds(frame)))
                        .as(stream.toString())
                        .isEqualTo(frame);
            }
        }
    }

    @Test
    void keyFramesAreCountedInDisplayOrder() throws Exception {
        assertThat(Indexes.of("made/plain.mp4", 0).keyFrames()).containsExactly(0, 10, 20);
        // An open group shows two frames that are decoded behind its key first.
        assertThat(Indexes.of("made/hevc.mp4", 0).keyFrames()).hasSize(3);
        assertThat(Indexes.of("torchcodec/nasa_13013.mp4", 3).keyFrames()).containsExactly(0, 240);
    }

    @Test
    void theDepthOfReorderingIsThatOfItsPictures() throws Exception {
        assertThat(Indexes.of("made/plain.mp4", 0).reorderDepth()).isEqualTo(1);
        assertThat(Indexes.of("torchcodec/h264_10bits.mp4", 0).reorderDepth()).isEqualTo(2);
        assertThat(Indexes.of("made/mjpeg.mov", 0).reorderDepth()).isZero();
        assertThat(Indexes.of("hf/test_video_66x50.mov", 0).reorderDepth()).isEqualTo(1);
    }

    @Test
    void aFileCutShortHasTheFramesThatAreThere() throws Exception {
        byte[] file = Videos.bytes("made/faststart.mp4");
        FrameIndex whole = Indexes.of(file, 0);
        FrameIndex cut = Indexes.of(Arrays.copyOf(file, file.length / 2), 0);
        assertThat(whole.missingSamples()).isZero();
        assertThat(cut.size()).isBetween(1, 29);
        assertThat(cut.missingSamples()).isEqualTo(30 - cut.size());
        for (int frame = 0; frame < cut.size(); frame++) {
            assertThat(cut.samples().offsetBytes(cut.sample(frame))).isLessThan(file.length / 2);
        }
    }

    @Test
    void sortingIsStableAndWithoutBoxes() throws Exception {
        long[] ticks = {0, 4, 2, 1, 3, 8, 6, 5, 7, 4, 9};
        FrameIndex index = Indexes.of(new Timebase(1, 30), ticks, 0);
        assertThat(Indexes.ticks(index)).containsExactly(0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9);
        assertThat(index.sample(4)).isEqualTo(1);
        assertThat(index.sample(5)).isEqualTo(9);
    }
}
