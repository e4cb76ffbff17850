package io.headrace.media.video.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.Videos;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cut and mutated videos: frames or a {@link BadPayload}, never anything else, in bounded time. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class VideoDecoderFuzzTest {
    private static final int MUTANTS = 3_000;

    /** Below 64 KiB, so that each round is short. */
    private static final List<String> FILES =
            Videos.files().stream().filter(file -> Videos.bytes(file).length < 1 << 16).toList();

    @Test
    void filesCutAnywhereGiveFramesOrAnError() throws Exception {
        try (VideoDecoder decoder = new VideoDecoder()) {
            for (String file : FILES) {
                byte[] bytes = Videos.bytes(file);
                int most = 0;
                for (int part = 1; part <= 20; part++) {
                    byte[] cut = Arrays.copyOf(bytes, (int) ((long) bytes.length * part / 20));
                    most = Math.max(most, frames(decoder, cut));
                }
                assertThat(most).as(file).isPositive();
            }
        }
    }

    @Test
    void mutantsGiveFramesOrAnError() throws Exception {
        long seed = System.nanoTime();
        System.out.println("VideoDecoderFuzzTest seed " + seed);
        Random random = new Random(seed);
        List<byte[]> files = FILES.stream().map(Videos::bytes).toList();
        int good = 0;
        int refused = 0;
        try (VideoDecoder decoder = new VideoDecoder()) {
            for (int i = 0; i < MUTANTS; i++) {
                byte[] mutant = files.get(random.nextInt(files.size())).clone();
                for (int change = 1 + random.nextInt(20); change > 0; change--) {
                    mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
                }
                try {
                    if (frames(decoder, mutant) > 0) {
                        good++;
                    } else {
                        refused++;
                    }
                } catch (RuntimeException e) {
                    throw new AssertionError("seed %d, mutant %d".formatted(seed, i), e);
                }
            }
        }
        assertThat(good).isGreaterThan(MUTANTS / 20);
        assertThat(refused).isGreaterThan(MUTANTS / 20);
    }

    /** How many frames came. */
    private static int frames(VideoDecoder decoder, byte[] file) throws IOException {
        int[] given = new int[1];
        try {
            VideoFile video = Frames.probe(file);
            int most = Math.min(video.index().size(), 64);
            int[] wanted = new int[most];
            for (int i = 0; i < most; i++) {
                wanted[i] = (int) ((long) i * video.index().size() / most);
            }
            decoder.decode(
                    video,
                    MemorySegment.ofArray(file),
                    wanted,
                    1 << 20,
                    (k, picture) -> {
                        given[0]++;
                        assertThat(picture.width()).isPositive();
                        assertThat(Frames.crc(picture)).isNotNegative();
                    });
        } catch (BadPayload expected) {
            assertThat(expected.getMessage()).isNotEmpty();
        }
        return given[0];
    }
}
