package io.headrace.engine.plan;

import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Draws.Candidate;
import io.headrace.engine.plan.Members.Member;
import io.headrace.engine.plan.Members.Row;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Which samples make each step: a pure fold over recipe and seed. Ranks, microbatches, machines and time do not enter.
 *
 * <p>In packs, samples that found no room are carried to the next step, the oldest first: at most {@link #MAX_CARRY}, and at most
 * {@link #MAX_DELAY_STEPS} times as many as there are packs. Each step takes at least one a pack, so none waits longer than that many
 * steps. Immutable; any thread may call.
 */
public final class Membership {

    /** Samples that may wait for the next step; it bounds the checkpoint and how far order may bend. */
    public static final int MAX_CARRY = 32;

    /** Steps by which a sample may come late. */
    public static final int MAX_DELAY_STEPS = 4;

    private final long seed;
    private final OrderSpec order;
    private final MixtureSpec.Unit unit;
    private final BatchSpec batch;
    private final Weights weights;
    private final Mixture mixture;
    private final Sources sources;

    /** What comes after a state. */
    public sealed interface Outcome {

        /** A step and the state after it. */
        record Step(Members members, MembershipState next) implements Outcome {}

        /**
         * The job ends before the step.
         *
         * @param dropped samples that were left for a last step but did not fill it
         * @param tooLong samples drawn for it that fit no pack
         */
        record End(List<SampleRef> dropped, List<SampleRef> tooLong) implements Outcome {
            public End {
                dropped = List.copyOf(dropped);
                tooLong = List.copyOf(tooLong);
            }
        }
    }

    public Membership(
            long seed, MixtureSpec mixing, OrderSpec order, BatchSpec batch, Catalog catalog) {
        this.seed = seed;
        this.order = order;
        this.unit = mixing.unit();
        this.batch = batch;
        this.weights = new Weights(mixing, catalog.sources());
        this.mixture = new Mixture(weights, mixing, drawsPerStep(batch));
        this.sources = new Sources(seed, order, mixing.exhaustion(), weights, catalog);
    }

    /** Membership of a recipe over the indexes of its sources. */
    public static Membership of(Recipe recipe, Catalog catalog) {
        return new Membership(
                recipe.seed(), recipe.mixture(), recipe.order(), recipe.batch(), catalog);
    }

    /** The state before step 0. */
    public MembershipState start() {
        List<Long> zeros = Collections.nCopies(sources.count(), 0L);
        return new MembershipState(0, zeros, zeros, List.of());
    }

    /** The step that follows from a state, or the end. */
    public Outcome next(MembershipState state) {
        Draws draws = new Draws(sources, weights, mixture, state);
        return switch (batch) {
            case BatchSpec.Samples spec -> samples(spec, state, draws);
            case BatchSpec.Packs spec -> packs(spec, state, draws);
        };
    }

    /** The state before a step, found by folding from the start; of an earlier end, the state there. */
    public MembershipState at(long step) {
        MembershipState state = start();
        while (state.step() < step && next(state) instanceof Outcome.Step found) {
            state = found.next();
        }
        return state;
    }

    public Checkpoint checkpoint(MembershipState state) {
        return new Checkpoint(Checkpoint.FORMAT, seed, order, sources.sizes(), unit, state);
    }

    /**
     * The state of a checkpoint. Weights, epochs and batch may have changed since; where the unit of the mixture has, credits start anew.
     *
     * @throws IllegalArgumentException if it was made by another format, seed, order or data, and the same samples cannot be given
     */
    public MembershipState resume(Checkpoint checkpoint) {
        MembershipState state = checkpoint.state();
        long step = state.step();
        List<Long> sizes = sources.sizes();
        same("format", checkpoint.format(), Checkpoint.FORMAT, step);
        same("seed", checkpoint.seed(), seed, step);
        same("order", places(checkpoint.order()), places(order), step);
        same("number of sources", checkpoint.sizes().size(), sizes.size(), step);
        for (int source = 0; source < sizes.size(); source++) {
            if (weights.everUsed(source) && state.positions().get(source) > 0) {
                same(
                        "size of source " + source,
                        checkpoint.sizes().get(source),
                        sizes.get(source),
                        step);
            }
        }
        return checkpoint.unit() == unit
                ? state
                : new MembershipState(step, state.positions(), start().credits(), state.carry());
    }

    /** The part of an order that says which sample lies at a position. */
    private static String places(OrderSpec order) {
        return switch (order.kind()) {
            case SEQUENTIAL -> "sequential";
            case SHUFFLE ->
                    "shuffle of blocks of %d in windows of %d"
                            .formatted(order.blockSamples(), order.windowBlocks());
        };
    }

    private static void same(String what, Object saved, Object present, long step) {
        if (!saved.equals(present)) {
            throw new IllegalArgumentException(
                    "Checkpoint before step %d does not fit: its %s is %s, the job's is %s"
                            .formatted(step, what, saved, present));
        }
    }

    /** Carried samples, which only a state of packs has, come first. */
    private Outcome samples(BatchSpec.Samples spec, MembershipState state, Draws draws) {
        int carried = Math.min(state.carry().size(), spec.samples());
        List<List<Candidate>> rows = new ArrayList<>();
        for (SampleRef sample : state.carry().subList(0, carried)) {
            rows.add(List.of(candidate(sample)));
        }
        boolean ended = false;
        while (rows.size() < spec.samples()) {
            Candidate drawn =
                    ended ? null : draws.take(Integer.MAX_VALUE, spec.samples() - rows.size());
            ended = drawn == null;
            rows.add(drawn == null ? List.of() : List.of(drawn));
        }
        return outcome(state, draws, rows, state.carry().subList(carried, state.carry().size()));
    }

    private Outcome packs(BatchSpec.Packs spec, MembershipState state, Draws draws) {
        Packer packer = new Packer(spec.packs(), spec.lengthTokens());
        List<SampleRef> carry = new ArrayList<>();
        for (Candidate carried : longestOfFirstRoundFirst(state.carry(), spec.packs())) {
            if (Draws.lengthTokens(carried.features()) > spec.lengthTokens()) {
                throw new IllegalArgumentException(
                        "Carried sample %d of source %d has %d tokens; packs are now of %d"
                                .formatted(
                                        carried.sample().index(),
                                        carried.sample().source(),
                                        carried.features().tokens(),
                                        spec.lengthTokens()));
            }
            if (!packer.offer(carried)) {
                carry.add(carried.sample());
            }
        }
        int maxCarry = (int) Math.min(MAX_CARRY, (long) MAX_DELAY_STEPS * spec.packs());
        boolean ended = false;
        while (carry.size() < maxCarry && !packer.full() && !ended) {
            Candidate candidate = draws.take(spec.lengthTokens(), 1);
            ended = candidate == null;
            if (candidate != null && !packer.offer(candidate)) {
                carry.add(candidate.sample());
            }
        }
        boolean last = ended && carry.isEmpty();
        return outcome(state, draws, last ? packer.spread() : packer.packs(), carry);
    }

    /**
     * Carried samples in the order in which they are offered: as many as there are packs, those that waited longest, are sure of a
     * pack each, so among them the longest is first; the others follow as they came.
     */
    private List<Candidate> longestOfFirstRoundFirst(List<SampleRef> carry, int packs) {
        List<Candidate> offers = new ArrayList<>();
        for (SampleRef sample : carry) {
            offers.add(candidate(sample));
        }
        offers.subList(0, Math.min(packs, offers.size())).sort(Packer.LONGEST_FIRST);
        return offers;
    }

    /**
     * A step of the rows; where some are empty, by the recipe's rule for the last batch. An empty pack refuses no sample, so nothing is
     * carried then.
     */
    private Outcome outcome(
            MembershipState state, Draws draws, List<List<Candidate>> rows, List<SampleRef> carry) {
        List<Candidate> drawn = rows.stream().flatMap(List::stream).toList();
        boolean complete = rows.stream().noneMatch(List::isEmpty);
        boolean padded = order.last() == OrderSpec.Last.PAD && !drawn.isEmpty();
        if (!complete && !padded) {
            return new Outcome.End(drawn.stream().map(Candidate::sample).toList(), draws.tooLong());
        }
        Row filler = complete ? row(rows.getFirst()) : filler(drawn);
        List<Row> filled = rows.stream().map(r -> r.isEmpty() ? filler : row(r)).toList();
        return new Outcome.Step(
                new Members(state.step(), filled, draws.tooLong()),
                draws.freeze(state.step() + 1, carry));
    }

    private static Row row(List<Candidate> candidates) {
        return new Row(
                candidates.stream().map(c -> new Member(c.sample(), c.features(), false)).toList());
    }

    /** The step's shortest sample again, masked: the cheapest shape that is sure to be lawful. */
    private static Row filler(List<Candidate> drawn) {
        Candidate shortest =
                Collections.min(
                        drawn,
                        Comparator.<Candidate>comparingInt(c -> c.features().tokens())
                                .thenComparingInt(c -> c.features().patches())
                                .thenComparing(Candidate::sample));
        return new Row(List.of(new Member(shortest.sample(), shortest.features(), true)));
    }

    private Candidate candidate(SampleRef sample) {
        return new Candidate(sample, sources.features(sample));
    }

    private static int drawsPerStep(BatchSpec batch) {
        return switch (batch) {
            case BatchSpec.Samples spec -> spec.samples();
            case BatchSpec.Packs _ -> 0;
        };
    }
}
