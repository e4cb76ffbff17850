package io.headrace.media.video.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.media.video.Videos;
import io.headrace.media.video.Videos.Stream;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Only what is needed is decoded, and all that is needed. */
class DecodePlanTest {
    private static final Timebase THIRTIETH = new Timebase(1, 30);

    /** Two groups I P B B P in decode order; the second is open: its B frames are shown before its I. */
    private static final long[] OPEN = {0, 3, 1, 2, 4, 7, 5, 6, 10, 8, 9};

    @Test
    void aFrameNeedsThePacketsFromItsKeyToItself() throws Exception {
        FrameIndex index = Indexes.of(THIRTIETH, new long[] {0, 3, 1, 2, 4, 7, 5, 6}, 0, 4);
        assertThat(DecodePlan.of(index, 0)).containsExactly(new DecodeRun(0, 1));
        assertThat(DecodePlan.of(index, 1)).containsExactly(new DecodeRun(0, 3));
        assertThat(DecodePlan.of(index, 3)).containsExactly(new DecodeRun(0, 2));
        assertThat(DecodePlan.of(index, 7)).containsExactly(new DecodeRun(4, 6));
        assertThat(DecodePlan.of(index)).isEmpty();
    }

    @Test
    void groupsWithoutAWantedFrameAreLeftOut() throws Exception {
        long[] ticks = IntStream.range(0, 40).asLongStream().toArray();
        FrameIndex index = Indexes.of(THIRTIETH, ticks, 0, 10, 20, 30);
        List<DecodeRun> runs = DecodePlan.of(index, 35, 2, 4, 2);
        assertThat(runs).containsExactly(new DecodeRun(0, 5), new DecodeRun(30, 36));
        assertThat(DecodePlan.samples(runs)).isEqualTo(11);
        assertThat(DecodePlan.bytes(index, runs)).isEqualTo(110);
        assertThat(DecodePlan.of(index, 9, 10)).containsExactly(new DecodeRun(0, 11));
    }

    @Test
    void aLeadingPictureOfAnOpenGroupStartsAKeyEarlier() throws Exception {
        FrameIndex index = Indexes.of(THIRTIETH, OPEN, 0, 5);
        assertThat(DecodePlan.of(index, 7)).containsExactly(new DecodeRun(5, 6));
        assertThat(DecodePlan.of(index, 6)).containsExactly(new DecodeRun(0, 8));
        assertThat(DecodePlan.of(index, 10)).containsExactly(new DecodeRun(5, 9));
        assertThat(DecodePlan.of(index, 7, 6)).containsExactly(new DecodeRun(0, 8));
    }

    @Test
    void withoutAKeyDecodingStartsAtTheFirstPacket() throws Exception {
        FrameIndex index = Indexes.of(THIRTIETH, new long[] {0, 1, 2, 3});
        assertThat(DecodePlan.of(index, 3)).containsExactly(new DecodeRun(0, 4));
        FrameIndex late = Indexes.of(THIRTIETH, new long[] {0, 1, 2, 3}, 2);
        assertThat(DecodePlan.of(late, 1)).containsExactly(new DecodeRun(0, 2));
    }

    @Test
    void everyClipIsCoveredByRunsThatStartAtKeys() throws Exception {
        long seed = System.nanoTime();
        System.out.println("DecodePlanTest seed " + seed);
        Random random = new Random(seed);
        for (Stream stream : Videos.streams()) {
            if (!stream.isMp4() || !stream.isVideo()) {
                continue;
            }
            FrameIndex index = Indexes.of(stream.file(), stream.index());
            for (int round = 0; round < 20; round++) {
                int[] wanted = random.ints(1 + random.nextInt(6), 0, index.size()).toArray();
                List<DecodeRun> runs = DecodePlan.of(index, wanted);
                TreeSet<Integer> decoded = new TreeSet<>();
                int last = -1;
                for (DecodeRun run : runs) {
                    assertThat(run.fromSample()).as("seed %d", seed).isGreaterThan(last);
                    assertThat(index.samples().isKey(run.fromSample())).isTrue();
                    last = run.endSample();
                    IntStream.range(run.fromSample(), run.endSample()).forEach(decoded::add);
                }
                for (int frame : wanted) {
                    assertThat(decoded).contains(index.sample(frame));
                }
                assertThat(decoded.last())
                        .isEqualTo(IntStream.of(wanted).map(index::sample).max().orElseThrow());
            }
        }
    }
}
