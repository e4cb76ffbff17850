package io.headrace.media.process.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import io.headrace.media.process.video.SizeBuckets.Size;
import io.headrace.media.resize.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Inputs of video diffusion models: bucket, frames, cover and crop. */
class BucketLayoutsTest {

    private static VideoLayout layout(
            SizeBuckets buckets, int width, int height, int frames, double rate) throws BadPayload {
        return VideoProcessors.create(new VideoModel.Diffusion(buckets), Wire.UINT8)
                .layout(new VideoFacts(width, height, frames, rate));
    }

    @Test
    void wanTakesEightyOneFramesAtSixteenASecond() throws Exception {
        VideoLayout layout = layout(SizeBuckets.WAN_480P, 1920, 1080, 300, 30);
        assertThat(layout.frames().count()).isEqualTo(81);
        assertThat(layout.frames().toArray())
                .startsWith(0, 1, 3, 5, 7, 9, 11, 13, 15)
                .endsWith(150);
        // 832 / 1920 = 0.43 and 480 / 1080 = 0.44: the height decides
        assertThat(layout.window()).isEqualTo(new Window(853, 480, 10, 0, 832, 480));
        assertThat(layout.grid()).isEqualTo(new Grid(21, 30, 52));
        assertThat(layout.tokens()).isEqualTo(21 * 30 * 52);
        assertThat(layout.elements()).isEqualTo(3L * 81 * 480 * 832);
    }

    @Test
    void lengthsAreAMultipleOfFourAndOne() throws Exception {
        for (int frames = 10; frames < 200; frames += 7) {
            VideoLayout layout = layout(SizeBuckets.HUNYUAN_540P, 640, 480, frames, 24);
            assertThat(layout.frames().count() % 4).isEqualTo(1);
            assertThat(layout.frames().count())
                    .isBetween(Math.min(frames - 3, 129), Math.min(frames, 129));
            assertThat(layout.frames().get(layout.frames().count() - 1)).isLessThan(frames);
        }
    }

    @Test
    void theNearestAspectIsTaken() throws Exception {
        assertThat(layout(SizeBuckets.HUNYUAN_720P, 1080, 1920, 60, 24).window().columns())
                .isEqualTo(720);
        assertThat(layout(SizeBuckets.HUNYUAN_720P, 1440, 1080, 60, 24).window().columns())
                .isEqualTo(1104);
        assertThat(layout(SizeBuckets.OPEN_SORA_256, 500, 480, 60, 24).window().columns())
                .isEqualTo(256);
        assertThat(layout(SizeBuckets.OPEN_SORA_768, 2390, 1000, 60, 24).window().rows())
                .isEqualTo(496);
        assertThat(layout(SizeBuckets.COG_VIDEO_X, 100, 900, 60, 24).window())
                .isEqualTo(new Window(720, 6480, 0, 3000, 720, 480));
    }

    @Test
    void ofAspectsAlikeTheLargestThatIsFilled() throws Exception {
        SizeBuckets both =
                new SizeBuckets(
                        List.of(new Size(832, 480), new Size(1280, 720)), 16, 5, 81, 4, 8, 2);
        assertThat(layout(both, 1920, 1080, 60, 24).window().columns()).isEqualTo(1280);
        assertThat(layout(both, 1024, 576, 60, 24).window().columns()).isEqualTo(832);
        assertThat(layout(both, 320, 180, 60, 24).window().columns()).isEqualTo(832);
    }

    @Test
    void shortVideosAndOddBucketsAreRefused() {
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> layout(SizeBuckets.WAN_480P, 640, 480, 7, 30))
                .withMessageContaining("7 frames")
                .withMessageContaining("needs 5");
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> layout(SizeBuckets.WAN_480P, 640, 480, 0, 30));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SizeBuckets(List.of(new Size(830, 480)), 16, 5, 81, 4, 8, 2))
                .withMessageContaining("830 x 480");
    }

    @Test
    void channelsComeBeforeFrames() throws Exception {
        SizeBuckets small = new SizeBuckets(List.of(new Size(32, 16)), 8, 5, 5, 4, 8, 2);
        VideoProcessor processor =
                VideoProcessors.create(new VideoModel.Diffusion(small), Wire.FLOAT32);
        VideoLayout layout = processor.layout(new VideoFacts(32, 16, 5, 8));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(4 * layout.elements());
            for (int k = 4; k >= 0; k--) {
                MemorySegment rgb = arena.allocate(3 * 32 * 16);
                for (int i = 0; i < 32 * 16; i++) {
                    rgb.set(ValueLayout.JAVA_BYTE, 3L * i, (byte) (10 * k));
                    rgb.set(ValueLayout.JAVA_BYTE, 3L * i + 1, (byte) (10 * k + 1));
                    rgb.set(ValueLayout.JAVA_BYTE, 3L * i + 2, (byte) 255);
                }
                processor.process(layout, k, new Picture(rgb, 32, 16), out);
            }
            int plane = 32 * 16;
            for (int c = 0; c < 3; c++) {
                for (int k = 0; k < 5; k++) {
                    float value =
                            out.get(
                                    ValueLayout.JAVA_FLOAT_UNALIGNED,
                                    4L * ((c * 5 + k) * plane + 77));
                    float level = c == 2 ? 255 : 10 * k + c;
                    assertThat(value).isEqualTo((level - 127.5f) / 127.5f);
                }
            }
        }
    }
}
