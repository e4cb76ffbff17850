package io.headrace.media.process.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.process.video.VideoModel.Sampling;
import io.headrace.media.resize.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames and sizes follow from numbers alone. */
class VideoLayoutTest {
    private static final Sampling TWO_A_SECOND = Sampling.atRate(2, 4, 768);
    private static final VideoModel QWEN2 = new VideoModel.Qwen25Vl(TWO_A_SECOND, 100_352, 602_112);
    private static final VideoModel QWEN3 = new VideoModel.Qwen3Vl(TWO_A_SECOND, 4096, 25_165_824);

    private static VideoFacts facts(int width, int height, int frames, double rate) {
        return new VideoFacts(width, height, frames, rate);
    }

    private static VideoLayout layout(VideoModel model, VideoFacts facts) throws BadPayload {
        return VideoProcessors.create(model, Wire.UINT8).layout(facts);
    }

    @Test
    void qwen2TakesPairsOfFrames() throws Exception {
        VideoLayout layout = layout(QWEN2, facts(480, 270, 390, 30000 / 1001.0));
        assertThat(layout.frames().count()).isEqualTo(26);
        assertThat(layout.frames().get(25)).isEqualTo(375);
        assertThat(layout.grid()).isEqualTo(new Grid(13, 20, 34));
        assertThat(layout.window()).isEqualTo(Window.whole(476, 280));
        assertThat(layout.rows()).isEqualTo(13 * 20 * 34);
        assertThat(layout.rowElements()).isEqualTo(1176);
        assertThat(layout.patches()).isEqualTo(layout.rows());
        assertThat(layout.tokens()).isEqualTo(13 * 10 * 17);
        assertThat(layout.elements()).isEqualTo(13L * 20 * 34 * 1176);
        assertThat(layout.pixels()).isEqualTo(26L * 476 * 280);
        // len(frames_indices) / total_num_frames * fps = 26 / 390 * 29.97
        assertThat(layout.secondsPerGrid()).isEqualTo(2 / (26 / 390.0 * (30000 / 1001.0)));
    }

    @Test
    void qwen3SharesItsPixelsAmongAllFrames() throws Exception {
        VideoLayout few = layout(QWEN3, facts(1920, 1080, 300, 30));
        assertThat(few.frames().count()).isEqualTo(20);
        assertThat(few.grid()).isEqualTo(new Grid(10, 52, 92));
        VideoLayout many = layout(QWEN3, facts(1920, 1080, 30_000, 30));
        assertThat(many.frames().count()).isEqualTo(768);
        assertThat(many.pixels()).isLessThanOrEqualTo(25_165_824);
        assertThat(many.grid()).isEqualTo(new Grid(384, 8, 14));
        assertThat(many.rowElements()).isEqualTo(1536);
    }

    /** Grids of Qwen2VLVideoProcessor and Qwen3VLVideoProcessor with cap_pixels_per_frame, transformers 5.24. */
    @ParameterizedTest
    @CsvSource({
        "qwen2, 1000, 640, 360, 2, 26, 46",
        "qwen2, 1000, 640, 360, 8, 22, 40",
        "qwen2, 1000, 640, 360, 40, 16, 30",
        "qwen2, 1000, 1280, 720, 4, 30, 56",
        "qwen3, 100, 640, 360, 2, 14, 26",
        "qwen3, 100, 640, 360, 40, 14, 26",
        "qwen3, 100, 270, 480, 13, 26, 14",
        "qwen3 small, 768, 640, 360, 2, 16, 30",
        "qwen3 small, 768, 640, 360, 8, 8, 14",
        "qwen3 small, 768, 640, 360, 40, 2, 6",
        "qwen3 small, 768, 270, 480, 13, 10, 6",
        "qwen3 small, 768, 1280, 720, 4, 12, 20"
    })
    void framesAreCapped(
            String name, long tokens, int width, int height, int frames, int down, int across)
            throws Exception {
        Sampling all = Sampling.ofCount(frames);
        VideoModel model =
                switch (name) {
                    case "qwen2" -> new VideoModel.Qwen25Vl(all, 100_352, 602_112, tokens);
                    case "qwen3" -> new VideoModel.Qwen3Vl(all, 4096, 25_165_824, tokens);
                    default -> new VideoModel.Qwen3Vl(all, 4096, 262_144, tokens);
                };
        VideoLayout layout = layout(model, facts(width, height, frames, 30));
        assertThat(layout.grid()).isEqualTo(new Grid((frames + 1) / 2, down, across));
    }

    @Test
    void countsAreAsked() throws Exception {
        VideoModel five = new VideoModel.Qwen3Vl(Sampling.ofCount(5), 4096, 25_165_824);
        VideoLayout layout = layout(five, facts(64, 64, 9, 10));
        assertThat(layout.frames()).isEqualTo(SampledFrames.of(0, 2, 4, 6, 8));
        assertThat(layout.grid().times()).isEqualTo(3);
        VideoModel pairs = new VideoModel.Qwen25Vl(Sampling.ofCount(5), 100_352, 602_112);
        assertThat(layout(pairs, facts(64, 64, 9, 10)).frames()).hasToString("[0, 2, 4, 6]");
    }

    @Test
    void wholeFrames() throws Exception {
        VideoLayout mae = layout(new VideoModel.VideoMae(16, 224), facts(480, 270, 390, 30));
        assertThat(mae.window()).isEqualTo(new Window(398, 224, 87, 0, 224, 224));
        assertThat(mae.rows()).isEqualTo(16);
        assertThat(mae.patches()).isEqualTo(8 * 14 * 14);
        VideoLayout llava =
                layout(new VideoModel.LlavaOnevision(32, 384), facts(480, 270, 390, 30));
        assertThat(llava.frames().get(31)).isEqualTo(31 * 390 / 32);
        assertThat(llava.tokens()).isEqualTo(32 * 196 + 1);
        assertThat(llava.patches()).isEqualTo(32 * 729);
        assertThat(llava.elements()).isEqualTo(32L * 3 * 384 * 384);
    }

    @Test
    void tooFewFramesAndOddShapesAreRefused() {
        refused(new VideoModel.VideoMae(16, 224), facts(480, 270, 15, 30), "15 frames");
        refused(QWEN2, facts(480, 270, 1, 30), "1 frames");
        refused(QWEN3, facts(480, 270, 1, 30), "1 frames");
        refused(QWEN3, facts(480, 270, 0, 30), "0 frames");
        refused(QWEN2, facts(8000, 20, 90, 30), "8000 x 20");
    }

    private static void refused(VideoModel model, VideoFacts facts, String message) {
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> layout(model, facts))
                .withMessageContaining(message);
    }
}
