package io.headrace.media.process.video;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.process.Sizes;
import io.headrace.media.process.video.VideoModel.Sampling;
import io.headrace.media.resize.Golden;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.Videos;
import io.headrace.media.video.decode.Frames;
import io.headrace.media.video.decode.VideoDecoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From the bytes of a video to the bits of its Hugging Face processor. */
class VideoVectorsTest {

    static Stream<Arguments> cases() {
        List<Arguments> cases = new ArrayList<>();
        for (String file : List.of("video_processors.json", "video_more.json")) {
            for (JsonNode node : Golden.json(file)) {
                cases.add(Arguments.of(node.get("case").asText(), node));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void layoutsAreEqual(String name, JsonNode golden) throws Exception {
        VideoLayout layout = layout(golden);
        JsonNode grid = golden.get("grid");
        if (!grid.isNull()) {
            assertThat(layout.grid())
                    .isEqualTo(
                            new Grid(
                                    grid.get(0).asInt(), grid.get(1).asInt(), grid.get(2).asInt()));
        }
        long elements = 1;
        for (JsonNode side : golden.get("shape")) {
            elements *= side.asLong();
        }
        assertThat(layout.elements()).isEqualTo(elements);
        if (golden.get("frames").isArray()) {
            assertThat(layout.frames().toArray())
                    .isEqualTo(
                            IntStream.range(0, golden.get("frames").size())
                                    .map(i -> golden.get("frames").get(i).asInt())
                                    .toArray());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void levelsAreEqualRowByRow(String name, JsonNode golden) throws Exception {
        byte[] levels = tensor(golden, Wire.UINT8);
        JsonNode rows = golden.get("row_crc32");
        int rowBytes = levels.length / rows.size();
        for (int row = 0; row < rows.size(); row++) {
            assertThat(Golden.crc(levels, row * rowBytes, rowBytes))
                    .as("row %d", row)
                    .isEqualTo(rows.get(row).asLong());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void floatsAreEqual(String name, JsonNode golden) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(tensor(golden, Wire.FLOAT32));
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(golden.get("sha256").asText());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void bfloatsAreTheRoundedFloats(String name, JsonNode golden) throws Exception {
        MemorySegment floats = MemorySegment.ofArray(tensor(golden, Wire.FLOAT32));
        MemorySegment halves = MemorySegment.ofArray(tensor(golden, Wire.BFLOAT16));
        assertThat(halves.byteSize()).isEqualTo(floats.byteSize() / 2);
        int wrong = 0;
        for (long i = 0; i < halves.byteSize() / 2; i++) {
            int bits = floats.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i);
            int rounded = (bits + 0x7fff + (bits >>> 16 & 1)) >>> 16;
            int half = halves.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) & 0xffff;
            wrong += half == (rounded & 0xffff) ? 0 : 1;
        }
        assertThat(wrong).isZero();
    }

    private static VideoModel model(JsonNode golden) {
        JsonNode call = golden.get("call");
        String name = golden.get("case").asText();
        String kind = name.substring(0, name.indexOf("__"));
        return switch (kind) {
            case "videomae" -> new VideoModel.VideoMae(call.get("num_frames").asInt(), 224);
            case "llava" -> new VideoModel.LlavaOnevision(call.get("num_frames").asInt(), 384);
            case "diffusion" ->
                    new VideoModel.Diffusion(
                            new SizeBuckets(
                                    List.of(
                                            new SizeBuckets.Size(
                                                    call.get("width").asInt(),
                                                    call.get("height").asInt())),
                                    call.get("rate").asDouble(),
                                    5,
                                    call.get("most").asInt(),
                                    4,
                                    8,
                                    2));
            default -> qwen(kind, golden);
        };
    }

    private static VideoModel qwen(String kind, JsonNode golden) {
        JsonNode size = golden.get("settings").get("size");
        Sampling sampling = Sampling.atRate(golden.get("call").path("fps").asDouble(2), 4, 768);
        long least = size.get("shortest_edge").asLong();
        long most = size.get("longest_edge").asLong();
        return kind.startsWith("qwen2")
                ? new VideoModel.Qwen25Vl(sampling, least, most)
                : new VideoModel.Qwen3Vl(sampling, least, most);
    }

    /** The processor's own, but where the vector was made from all frames. */
    private static VideoLayout layout(JsonNode golden) throws Exception {
        VideoFile video = Frames.probe(Videos.bytes(golden.get("video").asText()));
        VideoFacts facts = VideoFacts.of(video);
        if (golden.get("frames").isArray()) {
            return VideoProcessors.create(model(golden), Wire.UINT8).layout(facts);
        }
        VideoModel.Qwen25Vl model = (VideoModel.Qwen25Vl) model(golden);
        Sizes.Size size =
                Sizes.smart(
                        facts.uprightWidth(),
                        facts.uprightHeight(),
                        28,
                        model.minPixels(),
                        model.maxPixels());
        return QwenLayouts.patches(Frames.all(video), size, 14, 0);
    }

    private static byte[] tensor(JsonNode golden, Wire wire) throws Exception {
        byte[] file = Videos.bytes(golden.get("video").asText());
        VideoFile video = Frames.probe(file);
        VideoLayout layout = layout(golden);
        VideoProcessor processor = VideoProcessors.create(model(golden), wire);
        int elementBytes = wire == Wire.FLOAT32 ? 4 : wire == Wire.BFLOAT16 ? 2 : 1;
        try (Arena arena = Arena.ofConfined();
                VideoDecoder decoder = new VideoDecoder()) {
            MemorySegment out = arena.allocate(layout.elements() * elementBytes);
            out.fill((byte) 0x5A);
            decoder.decode(
                    video,
                    MemorySegment.ofArray(file),
                    layout.frames().toArray(),
                    Frames.MOST_PIXELS,
                    (k, picture) -> processor.process(layout, k, picture, out));
            return out.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Each frame is decoded by itself there, so those with few frames. */
    static Stream<Arguments> shortCases() {
        return cases().filter(
                        arguments -> ((JsonNode) arguments.get()[1]).get("frames").size() <= 16);
    }

    /** Frames may come in any order, from several threads' processors. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("shortCases")
    void theOrderOfFramesDoesNotMatter(String name, JsonNode golden) throws Exception {
        byte[] forwards = tensor(golden, Wire.FLOAT32);
        byte[] file = Videos.bytes(golden.get("video").asText());
        VideoFile video = Frames.probe(file);
        VideoLayout layout = layout(golden);
        try (Arena arena = Arena.ofConfined();
                VideoDecoder decoder = new VideoDecoder()) {
            MemorySegment out = arena.allocate(layout.elements() * 4);
            for (int k = layout.frames().count() - 1; k >= 0; k--) {
                one(
                        decoder,
                        video,
                        file,
                        layout,
                        k,
                        VideoProcessors.create(model(golden), Wire.FLOAT32),
                        out);
            }
            assertThat(Arrays.equals(out.toArray(ValueLayout.JAVA_BYTE), forwards)).isTrue();
        }
    }

    private static void one(
            VideoDecoder decoder,
            VideoFile video,
            byte[] file,
            VideoLayout layout,
            int k,
            VideoProcessor processor,
            MemorySegment out)
            throws BadPayload {
        decoder.decode(
                video,
                MemorySegment.ofArray(file),
                new int[] {layout.frames().get(k)},
                Frames.MOST_PIXELS,
                (first, picture) -> processor.process(layout, k, picture, out));
    }
}
