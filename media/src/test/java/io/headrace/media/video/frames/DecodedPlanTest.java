package io.headrace.media.video.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import io.headrace.media.video.Videos;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real decoder, given the packets of a plan alone, gives the frame that it gives when it decodes everything. */
class DecodedPlanTest {
    static List<String> files() {
        return Videos.files().stream()
                .filter(file -> !file.endsWith(".mkv") && !file.endsWith(".webm"))
                .filter(file -> !file.endsWith("corrupted.mp4"))
                // Its keys do not give whole pictures; what a decoder does about it is tested
                // there.
                .filter(file -> !file.endsWith("refresh.mp4"))
                .filter(file -> !file.contains("nasa") && !file.contains("bt709"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachFrameAloneIsTheFrameOfTheWhole(String file) throws Exception {
        byte[] bytes = Videos.bytes(file);
        VideoFile video = VideoProbe.read(ByteView.of(bytes));
        FrameIndex index = video.index();
        DecodeRun all = new DecodeRun(0, index.samples().size());
        Map<Integer, Long> whole = PacketDecoder.decode(video, bytes, all);
        assertThat(whole).hasSize(index.samples().size());
        for (int frame = 0; frame < index.size(); frame++) {
            List<DecodeRun> runs = DecodePlan.of(index, frame);
            assertThat(runs).hasSize(1);
            Map<Integer, Long> alone = PacketDecoder.decode(video, bytes, runs.getFirst());
            assertThat(alone.get(index.sample(frame)))
                    .as("frame %d, packet %d", frame, index.sample(frame))
                    .isEqualTo(whole.get(index.sample(frame)));
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void aFewFramesTogetherAreThoseOfTheWhole(String file) throws Exception {
        byte[] bytes = Videos.bytes(file);
        VideoFile video = VideoProbe.read(ByteView.of(bytes));
        FrameIndex index = video.index();
        DecodeRun all = new DecodeRun(0, index.samples().size());
        Map<Integer, Long> whole = PacketDecoder.decode(video, bytes, all);
        int[] wanted = FrameSampling.qwen3Count(index.size(), 4);
        Map<Integer, Long> decoded = new HashMap<>();
        for (DecodeRun run : DecodePlan.of(index, wanted)) {
            decoded.putAll(PacketDecoder.decode(video, bytes, run));
        }
        for (int frame : wanted) {
            assertThat(decoded.get(index.sample(frame))).isEqualTo(whole.get(index.sample(frame)));
        }
    }
}
