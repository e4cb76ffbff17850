package io.headrace.media.video.demux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.RangesView;
import io.headrace.media.video.Videos;
import io.headrace.media.video.frames.FrameIndex;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cut and mutated mkv, webm and avi: frames or a {@link BadPayload}, and no more than a few passes over the payload. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DemuxerFuzzTest {
    private static final int MUTANTS = 3_000;

    private static final List<String> FILES =
            Videos.files().stream()
                    .filter(file -> !file.endsWith(".mp4") && !file.endsWith(".mov"))
                    .toList();

    @Test
    void filesCutAnywhereGiveFramesOrAnError() throws Exception {
        for (String file : FILES) {
            byte[] bytes = Videos.bytes(file);
            int last = -1;
            for (int part = 0; part <= 50; part++) {
                int frames =
                        frames(file, Arrays.copyOf(bytes, (int) ((long) bytes.length * part / 50)));
                last = Math.max(last, frames);
            }
            assertThat(last).as(file).isPositive();
        }
    }

    @Test
    void mutantsGiveFramesOrAnError() throws Exception {
        long seed = System.nanoTime();
        System.out.println("DemuxerFuzzTest seed " + seed);
        Random random = new Random(seed);
        List<byte[]> files = FILES.stream().map(Videos::bytes).toList();
        int good = 0;
        for (int i = 0; i < MUTANTS; i++) {
            int file = random.nextInt(files.size());
            byte[] mutant = files.get(file).clone();
            int reach = Math.min(mutant.length, random.nextBoolean() ? 1024 : mutant.length);
            for (int change = 1 + random.nextInt(4); change > 0; change--) {
                mutant[random.nextInt(reach)] = (byte) random.nextInt(256);
            }
            try {
                good += frames(FILES.get(file), mutant) >= 0 ? 1 : 0;
            } catch (RuntimeException e) {
                throw new AssertionError("seed %d, mutant %d".formatted(seed, i), e);
            }
        }
        assertThat(good).isGreaterThan(MUTANTS / 10);
    }

    /** Number of frames; -1 if refused. */
    private static int frames(String name, byte[] file) throws IOException {
        RangesView view = new RangesView(ByteView.of(file));
        try {
            DemuxFormat format = name.endsWith(".avi") ? DemuxFormat.AVI : DemuxFormat.MATROSKA;
            FrameIndex index = Demuxer.read(view, format).index();
            if (index.size() > 0) {
                assertThat(index.shownAt(index.endSeconds())).isBetween(0, index.size() - 1);
            }
            return index.size();
        } catch (BadPayload expected) {
            assertThat(expected.getMessage()).isNotEmpty();
            return -1;
        } finally {
            assertThat(view.readBytes()).isLessThanOrEqualTo((1 << 20) + 4L * file.length + 32768);
        }
    }
}
