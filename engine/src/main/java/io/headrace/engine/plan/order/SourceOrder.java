package io.headrace.engine.plan.order;

import io.headrace.engine.recipe.OrderSpec;

/**
 * The order of one source: from a position, counted over all epochs, to a sample, in constant time and without state.
 *
 * <p>Shuffled, an epoch permutes blocks of neighbouring samples, then permutes the samples inside each window of
 * {@code windowBlocks} blocks, so that the samples in flight lie in few places of the shards. The last block of a source may be
 * short; wherever it lands, the positions behind it move up, so each epoch visits each sample exactly once. Each epoch has its own
 * permutations.
 */
public final class SourceOrder {

    private final long size;
    private final OrderSpec spec;
    private final long seed;
    private final long blocks;

    /** How many samples the last block lacks. */
    private final long lacking;

    /**
     * @param size samples of the source
     * @param seed of this source
     */
    public SourceOrder(long size, OrderSpec spec, long seed) {
        if (size < 1) {
            throw new IllegalArgumentException("Order of a source of " + size + " samples");
        }
        if (spec.kind() == OrderSpec.Kind.SHUFFLE
                && (spec.blockSamples() < 1 || spec.windowBlocks() < 1)) {
            throw new IllegalArgumentException(
                    "Shuffle by blocks of %d samples in windows of %d blocks; needed: 1 or more of each"
                            .formatted(spec.blockSamples(), spec.windowBlocks()));
        }
        this.size = size;
        this.spec = spec;
        this.seed = seed;
        this.blocks = Math.ceilDiv(size, (long) Math.max(1, spec.blockSamples()));
        this.lacking = blocks * Math.max(1, spec.blockSamples()) - size;
    }

    /** The sample at a position; position {@code e * size} is the first of epoch {@code e}. */
    public long sample(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("Negative position: " + position);
        }
        long epoch = position / size;
        long within = position - epoch * size;
        return switch (spec.kind()) {
            case SEQUENTIAL -> within;
            case SHUFFLE -> shuffled(Hash64.derive(seed, epoch), within);
        };
    }

    private long shuffled(long epochKey, long position) {
        Permutation blockOrder = new Permutation(blocks, epochKey);
        long shortSlot = blockOrder.invert(blocks - 1);
        long window = slot(position, shortSlot) / spec.windowBlocks();
        long firstSlot = window * spec.windowBlocks();
        long from = start(firstSlot, shortSlot);
        long to = start(Math.min(blocks, firstSlot + spec.windowBlocks()), shortSlot);
        long moved =
                from
                        + new Permutation(to - from, Hash64.derive(~epochKey, window))
                                .apply(position - from);
        long slot = slot(moved, shortSlot);
        return blockOrder.apply(slot) * spec.blockSamples() + moved - start(slot, shortSlot);
    }

    /** First position of a slot; a slot is the place of a block in the epoch. */
    private long start(long slot, long shortSlot) {
        return slot * spec.blockSamples() - (slot > shortSlot ? lacking : 0);
    }

    private long slot(long position, long shortSlot) {
        boolean behindShort = position >= start(shortSlot + 1, shortSlot);
        return (behindShort ? position + lacking : position) / spec.blockSamples();
    }
}
