package io.headrace.media.video.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.resize.Golden;
import io.headrace.media.video.Videos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The frames that are chosen are those of the Hugging Face processors, and those that are shown. */
class FrameSamplingTest {

    /** Gives frames or is refused. */
    interface Choice {
        int[] frames() throws BadPayload;
    }

    /** 359 / (359 / 22) is a little above 22, where the reference asks for frame 359 of 359 and fails. */
    @Test
    void noFrameBehindTheLastIsTaken() throws BadPayload {
        int[] frames = FrameSampling.qwen2Rate(359, 30, 2, 4, 64, 2);
        assertThat(frames).hasSize(22).endsWith(326, 342);
        for (int total = 4; total < 3000; total++) {
            int[] taken = FrameSampling.qwen2Rate(total, 30, 2, 4, 768, 2);
            assertThat(taken[taken.length - 1]).isLessThan(total);
        }
    }

    @Test
    void countsAreThoseOfTheProcessors() throws Exception {
        JsonNode table = Videos.json("frames.json");
        assertThat(table).hasSize(32);
        for (JsonNode row : table) {
            int total = row.get("total").asInt();
            double rate = row.get("fps").asDouble();
            same(row, "qwen2_vl_fps2", () -> FrameSampling.qwen2Rate(total, rate, 2, 4, 768, 2));
            same(row, "qwen2_vl_fps1", () -> FrameSampling.qwen2Rate(total, rate, 1, 4, 768, 2));
            same(row, "qwen2_vl_n8", () -> FrameSampling.qwen2Count(total, 8, 2));
            same(row, "qwen3_vl_fps2", () -> FrameSampling.qwen3Rate(total, rate, 2, 4, 768));
            same(row, "qwen3_vl_n8", () -> FrameSampling.qwen3Count(total, 8));
            same(row, "uniform_n8", () -> FrameSampling.uniform(total, 8));
            same(row, "uniform_n16", () -> FrameSampling.uniform(total, 16));
            same(row, "uniform_fps2", () -> FrameSampling.uniformRate(total, rate, 2));
        }
    }

    private static void same(JsonNode row, String key, Choice choice) throws Exception {
        JsonNode expected = row.get(key);
        if (expected.isTextual()) {
            assertThatExceptionOfType(BadPayload.class)
                    .as("%s of %s", key, row)
                    .isThrownBy(choice::frames);
            return;
        }
        int[] frames = choice.frames();
        if (expected.isArray()) {
            int[] known = ints(expected);
            int[] there = IntStream.of(known).filter(f -> f < row.get("total").asInt()).toArray();
            assertThat(frames).as("%s of %s", key, row).isEqualTo(there);
            return;
        }
        int[] head = ints(expected.get("head"));
        int[] tail = ints(expected.get("tail"));
        int total = row.get("total").asInt();
        if (tail[tail.length - 1] == total) {
            frames = IntStream.concat(IntStream.of(frames), IntStream.of(total)).toArray();
        }
        assertThat(frames).hasSize(expected.get("count").asInt()).startsWith(head).endsWith(tail);
        ByteBuffer bytes = ByteBuffer.allocate(4 * frames.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(frames);
        assertThat(Golden.crc(bytes.array(), 0, bytes.capacity()))
                .as("%s of %s", key, row)
                .isEqualTo(expected.get("crc32_of_int32").asLong());
    }

    private static int[] ints(JsonNode array) {
        return IntStream.range(0, array.size()).map(i -> array.get(i).asInt()).toArray();
    }

    @Test
    void aRateTakesTheFramesThatAreShown() throws Exception {
        FrameIndex index = Indexes.of("made/vfr.mp4", 0);
        assertThat(FrameSampling.atRate(index, 4, 100)).containsExactly(0, 2, 5, 7, 10, 17, 25, 32);
        assertThat(FrameSampling.atRate(index, 30, 1000)).hasSize(60).endsWith(38, 39);
        assertThat(FrameSampling.atRate(index, 4, 3)).containsExactly(0, 2, 5);
        assertThat(FrameSampling.atRate(index, 0.1, 3)).containsExactly(0);
    }

    @Test
    void itsOwnRateTakesEveryFrameOnceWhereverAClipBegins() throws Exception {
        FrameIndex late = Indexes.of("made/edit-delay.mp4", 0);
        assertThat(late.beginSeconds()).isEqualTo(0.5);
        assertThat(FrameSampling.atRate(late, late.meanRate(), 1000))
                .isEqualTo(IntStream.range(0, 30).toArray());
        FrameIndex ntsc = Indexes.of("torchcodec/nasa_13013.mp4", 3);
        assertThat(ntsc.meanRate()).isEqualTo(30_000 / 1001.0);
        assertThat(FrameSampling.atRate(ntsc, ntsc.meanRate(), 1000))
                .isEqualTo(IntStream.range(0, 390).toArray());
    }

    @Test
    void timesKeepTheirOrder() throws Exception {
        FrameIndex index = Indexes.of("made/vfr.mp4", 0);
        assertThat(FrameSampling.atTimes(index, 1.5, 0.95, 0, 1.5)).containsExactly(25, 9, 0, 25);
    }

    @Test
    void noFrameIsAnErrorThatSaysHowManyWereAsked() throws Exception {
        FrameIndex none = Indexes.of(new Timebase(1, 30), new long[0]);
        assertThat(none.meanRate()).isZero();
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> FrameSampling.atTimes(none, 0))
                .withMessageContaining("of 0 frames, of which 1");
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> FrameSampling.uniform(3, 8))
                .withMessage("Video of 3 frames, of which 8 are asked for");
    }
}
