package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.order.Hash64;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A catalog of given token counts; a sample has four patches a token. */
record GivenCatalog(List<List<Integer>> tokens) implements Catalog {

    /** Sources of given sizes whose samples have 1 to {@code maxTokens} tokens, drawn from a seed. */
    static GivenCatalog random(long seed, int maxTokens, int... sizes) {
        return new GivenCatalog(
                IntStream.range(0, sizes.length)
                        .mapToObj(
                                source ->
                                        IntStream.range(0, sizes[source])
                                                .map(i -> tokens(seed, source, i, maxTokens))
                                                .boxed()
                                                .toList())
                        .toList());
    }

    /** One source of given token counts. */
    static GivenCatalog of(int... tokens) {
        return new GivenCatalog(List.of(Arrays.stream(tokens).boxed().toList()));
    }

    private static int tokens(long seed, int source, int index, int maxTokens) {
        long hash = Hash64.derive(Hash64.derive(seed, source), index);
        return 1 + (int) Math.unsignedMultiplyHigh(hash, maxTokens);
    }

    @Override
    public int sources() {
        return tokens.size();
    }

    @Override
    public long size(int source) {
        return tokens.get(source).size();
    }

    @Override
    public Features features(SampleRef sample) {
        int count = tokens.get(sample.source()).get((int) sample.index());
        return new Features(count, 4 * count, 1000L * count, 100L * count);
    }
}
