package io.headrace.engine.plan.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Kind;
import io.headrace.engine.recipe.OrderSpec.Last;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SourceOrderTest {

    private static OrderSpec shuffle(int blockSamples, int windowBlocks) {
        return new OrderSpec(Kind.SHUFFLE, blockSamples, windowBlocks, 0, Last.DROP);
    }

    private static List<Long> samples(SourceOrder order, long from, long to) {
        return LongStream.range(from, to).map(order::sample).boxed().toList();
    }

    @Test
    void everyEpochVisitsEachSampleOnce() {
        for (int size : new int[] {1, 2, 3, 7, 8, 9, 31, 64, 65, 100, 257}) {
            for (int blockSamples : new int[] {1, 2, 8, 30, 1000}) {
                for (int windowBlocks : new int[] {1, 2, 5, 1000}) {
                    for (long seed = 0; seed < 4; seed++) {
                        SourceOrder order =
                                new SourceOrder(size, shuffle(blockSamples, windowBlocks), seed);
                        for (int epoch = 0; epoch < 3; epoch++) {
                            BitSet seen = new BitSet();
                            for (int i = 0; i < size; i++) {
                                seen.set((int) order.sample((long) epoch * size + i));
                            }
                            assertThat(seen.length()).isEqualTo(size);
                            assertThat(seen.cardinality())
                                    .as(
                                            "size %d block %d window %d seed %d epoch %d",
                                            size, blockSamples, windowBlocks, seed, epoch)
                                    .isEqualTo(size);
                        }
                    }
                }
            }
        }
    }

    @Test
    void aWindowReadsOnlyItsOwnBlocks() {
        int blockSamples = 10;
        int windowBlocks = 4;
        SourceOrder order = new SourceOrder(1000, shuffle(blockSamples, windowBlocks), 5);
        for (int window = 0; window < 25; window++) {
            Set<Long> blocks = new TreeSet<>();
            for (long sample : samples(order, window * 40L, window * 40L + 40)) {
                blocks.add(sample / blockSamples);
            }
            assertThat(blocks).hasSize(windowBlocks);
        }
    }

    @Test
    void epochsAndSeedsDiffer() {
        SourceOrder order = new SourceOrder(1000, shuffle(16, 8), 5);
        SourceOrder other = new SourceOrder(1000, shuffle(16, 8), 6);
        assertThat(samples(order, 0, 1000)).isNotEqualTo(samples(order, 1000, 2000));
        assertThat(samples(order, 0, 1000)).isNotEqualTo(samples(other, 0, 1000));
        assertThat(samples(order, 0, 1000))
                .isEqualTo(samples(new SourceOrder(1000, shuffle(16, 8), 5), 0, 1000));
    }

    @Test
    void theShortBlockLandsAnywhere() {
        Set<Long> firstSlots = new TreeSet<>();
        for (long seed = 0; seed < 200; seed++) {
            SourceOrder order = new SourceOrder(41, shuffle(10, 1), seed);
            firstSlots.add((long) samples(order, 0, 41).indexOf(40L));
        }
        assertThat(firstSlots).containsExactly(0L, 10L, 20L, 30L, 40L);
    }

    @Test
    void sequentialIsTheIndexAgainAndAgain() {
        OrderSpec spec = new OrderSpec(Kind.SEQUENTIAL, 0, 0, 0, Last.DROP);
        assertThat(samples(new SourceOrder(3, spec, 9), 0, 7))
                .containsExactly(0L, 1L, 2L, 0L, 1L, 2L, 0L);
    }

    @Test
    void refusesWhatHasNoOrder() {
        assertThatThrownBy(() -> new SourceOrder(0, shuffle(1, 1), 0))
                .hasMessageContaining("0 samples");
        assertThatThrownBy(() -> new SourceOrder(5, shuffle(0, 3), 0))
                .hasMessageContaining("blocks of 0 samples in windows of 3");
        assertThatThrownBy(() -> new SourceOrder(5, shuffle(1, 1), 0).sample(-1))
                .hasMessageContaining("-1");
    }
}
