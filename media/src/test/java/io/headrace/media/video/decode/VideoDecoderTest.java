package io.headrace.media.video.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import io.headrace.media.video.Videos;
import io.headrace.media.video.frames.DecodePlan;
import io.headrace.media.video.frames.DecodeRun;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames are those of FFmpeg's filters, to the bit, whichever of them are asked for. */
class VideoDecoderTest {
    /** A clip whose edit list shows a gap, where FFmpeg shows a frame or two of the start of the media. */
    private static final String SHOWN_OTHERWISE = "made/edit-back.mp4";

    record Clip(String file, JsonNode node) {
        long[] sums() {
            JsonNode sums = node.get("rgb_crc32");
            return IntStream.range(0, sums.size()).mapToLong(i -> sums.get(i).asLong()).toArray();
        }

        double seconds(int frame) {
            return node.get("pts_seconds").get(frame).asDouble();
        }

        @Override
        public String toString() {
            return file;
        }
    }

    static List<Clip> clips() {
        List<Clip> clips = new ArrayList<>();
        for (JsonNode node : Videos.json("rgb.json")) {
            if (!node.get("file").asText().equals(SHOWN_OTHERWISE)) {
                clips.add(new Clip(node.get("file").asText(), node));
            }
        }
        return clips;
    }

    @ParameterizedTest
    @MethodSource("clips")
    void allFramesAreThoseOfTheReference(Clip clip) throws Exception {
        byte[] file = Videos.bytes(clip.file);
        VideoFile video = Frames.probe(file);
        assertThat(video.uprightWidth()).isEqualTo(clip.node.get("width").asInt());
        assertThat(video.uprightHeight()).isEqualTo(clip.node.get("height").asInt());
        assertThat(video.index().size()).isEqualTo(clip.sums().length);
        // FFmpeg gives the frames of an AVI with B pictures their decode times.
        int timed = clip.file.endsWith("bframes.avi") ? 0 : clip.sums().length;
        for (int frame = 0; frame < timed; frame++) {
            assertThat(video.index().seconds(frame)).isCloseTo(clip.seconds(frame), within(1e-6));
        }
        if (!clip.file.endsWith("mirrored.mp4")) {
            assertThat(Frames.decode(video, file, Frames.all(video))).isEqualTo(clip.sums());
        }
    }

    @ParameterizedTest
    @MethodSource("clips")
    void chosenFramesAreThoseOfTheWhole(Clip clip) throws Exception {
        byte[] file = Videos.bytes(clip.file);
        VideoFile video = Frames.probe(file);
        long[] whole = Frames.decode(video, file, Frames.all(video));
        long seed = System.nanoTime();
        System.out.println("VideoDecoderTest seed " + seed);
        Random random = new Random(seed);
        try (VideoDecoder decoder = new VideoDecoder()) {
            for (int round = 0; round < 12; round++) {
                int[] wanted =
                        random.ints(1 + random.nextInt(6), 0, whole.length).sorted().toArray();
                long[] expected = Arrays.stream(wanted).mapToLong(i -> whole[i]).toArray();
                assertThat(Frames.decode(decoder, video, file, wanted))
                        .as("frames %s, seed %d", Arrays.toString(wanted), seed)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("clips")
    void partsTogetherGiveTheWhole(Clip clip) throws Exception {
        byte[] file = Videos.bytes(clip.file);
        VideoFile video = Frames.probe(file);
        int[] wanted = Frames.all(video);
        long[] whole = Frames.decode(video, file, wanted);
        for (int count : new int[] {1, 2, 3, 100}) {
            List<VideoPart> parts = new ArrayList<>(VideoParts.split(video.index(), wanted, count));
            assertThat(parts.size()).isBetween(1, count);
            assertThat(parts.stream().mapToInt(VideoPart::frames).sum()).isEqualTo(wanted.length);
            Collections.reverse(parts);
            long[] sums = new long[wanted.length];
            try (VideoDecoder decoder = new VideoDecoder()) {
                for (VideoPart part : parts) {
                    decoder.decode(
                            video,
                            MemorySegment.ofArray(file),
                            wanted,
                            part,
                            Frames.MOST_PIXELS,
                            (k, picture) -> {
                                assertThat(k).isBetween(part.from(), part.end() - 1);
                                sums[k] = Frames.crc(picture);
                            });
                }
            }
            assertThat(sums).isEqualTo(whole);
        }
    }

    /** AV1 is decoded by dav1d where that is installed, else by libaom inside FFmpeg. */
    @Test
    void bothDecodersOfAv1GiveTheSameFrames() throws Exception {
        byte[] file = Videos.bytes("made/av1.mp4");
        VideoFile video = Frames.probe(file);
        int[] wanted = Frames.all(video);
        long[] expected = Frames.decode(video, file, wanted);
        long[] sums = new long[wanted.length];
        try (Arena arena = Arena.ofConfined();
                RgbConverter converter = new RgbConverter();
                FrameDecoder libaom = DecoderContext.open(video, Frames.MOST_PIXELS)) {
            MemorySegment payload = arena.allocate(file.length);
            payload.copyFrom(MemorySegment.ofArray(file));
            PacketSource packets = new PayloadPackets(payload, video.index().samples());
            Wanted samples = Wanted.of(video.index(), wanted, 0);
            FrameSink sink = (k, picture) -> sums[k] = Frames.crc(picture);
            try (RunDecoder decoder =
                    new RunDecoder(video, packets, libaom, converter, samples, sink)) {
                for (DecodeRun run : DecodePlan.of(video.index(), wanted)) {
                    decoder.decode(run);
                }
            }
        }
        assertThat(sums).isEqualTo(expected);
    }

    @Test
    void nativeMemoryIsDecodedInPlace() throws Exception {
        byte[] file = Videos.bytes("made/plain.mp4");
        VideoFile video = Frames.probe(file);
        long[] expected = Frames.decode(video, file, 3, 20);
        long[] sums = new long[2];
        try (Arena arena = Arena.ofShared();
                VideoDecoder decoder = new VideoDecoder()) {
            MemorySegment payload = arena.allocate(file.length);
            MemorySegment.copy(file, 0, payload, ValueLayout.JAVA_BYTE, 0, file.length);
            decoder.decode(
                    video,
                    payload.asReadOnly(),
                    new int[] {3, 20},
                    Frames.MOST_PIXELS,
                    (k, picture) -> sums[k] = Frames.crc(picture));
        }
        assertThat(sums).isEqualTo(expected);
    }

    @Test
    void aFrameThatIsWantedTwiceIsGivenTwice() throws Exception {
        byte[] file = Videos.bytes("made/plain.mp4");
        VideoFile video = Frames.probe(file);
        long[] sums = Frames.decode(video, file, 4, 4, 9, 9, 9);
        assertThat(sums[0]).isEqualTo(sums[1]).isNotEqualTo(sums[2]).isNotZero();
        assertThat(sums[2]).isEqualTo(sums[3]).isEqualTo(sums[4]);
        assertThat(Frames.decode(video, file)).isEmpty();
    }

    @Test
    void rotatedFramesAreUpright() throws Exception {
        byte[] file = Videos.bytes("made/rotated-90.mp4");
        VideoFile video = Frames.probe(file);
        List<String> sizes = new ArrayList<>();
        try (VideoDecoder decoder = new VideoDecoder()) {
            decoder.decode(
                    video,
                    MemorySegment.ofArray(file),
                    new int[] {0, 3},
                    Frames.MOST_PIXELS,
                    (k, picture) -> sizes.add(picture.width() + " x " + picture.height()));
        }
        assertThat(sizes).containsExactly("120 x 160", "120 x 160");
    }

    @Test
    void mirroredFramesAreUpright() throws Exception {
        byte[] mirrored = rows("made/mirrored.mp4");
        byte[] stored = rows("made/upright.mp4");
        int width = 160;
        for (int pixel = 0; pixel < mirrored.length / 3; pixel++) {
            int opposite = pixel - pixel % width + width - 1 - pixel % width;
            assertThat(Arrays.copyOfRange(mirrored, 3 * pixel, 3 * pixel + 3))
                    .isEqualTo(Arrays.copyOfRange(stored, 3 * opposite, 3 * opposite + 3));
        }
    }

    private static byte[] rows(String name) throws Exception {
        byte[] file = Videos.bytes(name);
        List<byte[]> rows = new ArrayList<>();
        try (VideoDecoder decoder = new VideoDecoder()) {
            decoder.decode(
                    Frames.probe(file),
                    MemorySegment.ofArray(file),
                    new int[] {2},
                    Frames.MOST_PIXELS,
                    (k, picture) ->
                            rows.add(
                                    picture.rgb()
                                            .asSlice(0, 3L * picture.width() * picture.height())
                                            .toArray(ValueLayout.JAVA_BYTE)));
        }
        return rows.getFirst();
    }

    @Test
    void theLastFrameOfAnAviWithBFramesIsReachedAlone() throws Exception {
        byte[] file = Videos.bytes("made/bframes.avi");
        VideoFile video = Frames.probe(file);
        int last = video.index().size() - 1;
        long[] whole = Frames.decode(video, file, Frames.all(video));
        assertThat(Frames.decode(video, file, last)).containsExactly(whole[last]);
        assertThat(VideoParts.whole(video.index(), last).packets()).isLessThan(last);
    }

    @Test
    void tooManyPixelsAreRefusedWithBothNumbers() throws Exception {
        byte[] file = Videos.bytes("torchcodec/bt709_full_range.mp4");
        VideoFile video = Frames.probe(file);
        try (VideoDecoder decoder = new VideoDecoder()) {
            assertThatExceptionOfType(BadPayload.class)
                    .isThrownBy(
                            () ->
                                    decoder.decode(
                                            video,
                                            MemorySegment.ofArray(file),
                                            new int[] {0},
                                            900_000,
                                            (k, picture) -> {}))
                    .withMessageContaining("1280 x 720 = 921600")
                    .withMessageContaining("900000")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_PIXELS));
        }
    }

    @Test
    void aFileCutAtHalfGivesTheFramesItHas() throws Exception {
        for (String name :
                List.of("made/faststart.mp4", "made/h264.mkv", "decord/flipping_a_pancake.mkv")) {
            byte[] file = Videos.bytes(name);
            VideoFile whole = Frames.probe(file);
            long[] sums = Frames.decode(whole, file, Frames.all(whole));
            byte[] half = Arrays.copyOf(file, file.length / 2);
            VideoFile video = VideoProbe.read(ByteView.of(half));
            assertThat(video.index().size()).isBetween(1, sums.length - 1);
            int[] early = {0, 1};
            assertThat(Frames.decode(video, half, early)).containsExactly(sums[0], sums[1]);
        }
    }

    @Test
    void aBrokenPacketIsToldWithItsPlaceAndOthersStayReachable() throws Exception {
        byte[] file = Videos.bytes("torchcodec/h265_video.mp4").clone();
        VideoFile video = Frames.probe(file);
        long[] sums = Frames.decode(video, file, Frames.all(video));
        int last = video.index().sample(video.index().size() - 1);
        int offset = (int) video.index().samples().offsetBytes(last);
        Arrays.fill(file, offset, offset + video.index().samples().lengthBytes(last), (byte) 0xFF);
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> Frames.decode(video, file, Frames.all(video)))
                .satisfies(e -> assertThat(e.offsetBytes()).isEqualTo(offset))
                .withMessageContaining("Packet " + last);
        assertThat(Frames.decode(video, file, 0, 1)).containsExactly(sums[0], sums[1]);
    }

    @Test
    void aDamagedRealFileEndsWithItsPlace() throws Exception {
        byte[] file = Videos.bytes("decord/corrupted.mp4");
        VideoFile video = Frames.probe(file);
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> Frames.decode(video, file, Frames.all(video)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT))
                .satisfies(e -> assertThat(e.offsetBytes()).isPositive());
    }
}
