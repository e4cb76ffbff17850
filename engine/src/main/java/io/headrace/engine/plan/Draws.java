package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws the samples of one step from the sources: positions and credits, thawed from a state and frozen into the next. Used by one
 * thread for one step. When a source leaves the mixture, exhausted or of weight 0, credits start anew: the ideal that they measure
 * is that of the sources at hand.
 */
final class Draws {

    /** Samples of a source too long for a pack, in a row, that are left out before the recipe is taken to be wrong. */
    static final int MAX_TOO_LONG_IN_A_ROW = 1 << 20;

    private final Sources sources;
    private final Weights mixing;
    private final Mixture mixture;
    private final long step;
    private final long[] positions;
    private final long[] credits;
    private final boolean[] open;
    private final long[] sizes;
    private final @Nullable Candidate[] heads;
    private final List<SampleRef> tooLong = new ArrayList<>();
    private long[] weights;

    /** A sample at the head of its source. */
    record Candidate(SampleRef sample, Features features) {}

    Draws(Sources sources, Weights mixing, Mixture mixture, MembershipState state) {
        this.sources = sources;
        this.mixing = mixing;
        this.mixture = mixture;
        this.step = state.step();
        this.positions = state.positions().stream().mapToLong(Long::longValue).toArray();
        this.credits = state.credits().stream().mapToLong(Long::longValue).toArray();
        this.open = new boolean[positions.length];
        this.sizes = new long[positions.length];
        this.heads = new @Nullable Candidate[positions.length];
        for (int i = 0; i < open.length; i++) {
            open[i] = positions[i] < sources.limit(i);
        }
        this.weights = mixing.at(step, open);
        startAnewIfOneLeft();
    }

    /**
     * The next sample of at most {@code maxTokens}; null when the job has no more.
     *
     * @param drawsLeft samples that the step still takes, this one included, if known
     */
    @Nullable Candidate take(int maxTokens, int drawsLeft) {
        int skipped = 0;
        while (!ended()) {
            int source = pick(drawsLeft);
            Candidate candidate = head(source);
            boolean fits = lengthTokens(candidate.features) <= maxTokens;
            if (fits) {
                Mixture.credit(credits, weights, source, sizes[source]);
            }
            advance(source);
            if (fits) {
                return candidate;
            }
            tooLong.add(candidate.sample);
            if (++skipped > MAX_TOO_LONG_IN_A_ROW) {
                throw new IllegalStateException(
                        "%d samples in a row are longer than a pack of %d tokens; the last: source %d sample %d of %d tokens"
                                .formatted(
                                        skipped,
                                        maxTokens,
                                        source,
                                        candidate.sample.index(),
                                        candidate.features.tokens()));
            }
        }
        return null;
    }

    List<SampleRef> tooLong() {
        return tooLong;
    }

    MembershipState freeze(long nextStep, List<SampleRef> carry) {
        return new MembershipState(
                nextStep,
                Arrays.stream(positions).boxed().toList(),
                Arrays.stream(credits).boxed().toList(),
                carry);
    }

    /** Tokens of a sample in mixing and packing; 1 for a sample without any, so that each takes room and time. */
    static int lengthTokens(Features features) {
        return Math.max(1, features.tokens());
    }

    private boolean ended() {
        boolean one = false;
        for (int i = 0; i < open.length; i++) {
            boolean exhausted = !open[i] && positions[i] > 0 && sources.limit(i) > 0;
            if (exhausted && mixture.endsWithFirst()) {
                return true;
            }
            one |= weights[i] > 0;
        }
        return !one;
    }

    private int pick(int drawsLeft) {
        for (int i = 0; i < sizes.length; i++) {
            if (weights[i] > 0 && heads[i] == null) {
                sizes[i] = mixture.byTokens() ? lengthTokens(head(i).features) : 1;
            }
        }
        return mixture.pick(step, credits, weights, open, sizes, drawsLeft);
    }

    private Candidate head(int source) {
        Candidate head = heads[source];
        if (head == null) {
            SampleRef sample = sources.sample(source, positions[source]);
            head = new Candidate(sample, sources.features(sample));
            heads[source] = head;
        }
        return head;
    }

    private void advance(int source) {
        positions[source]++;
        heads[source] = null;
        if (positions[source] >= sources.limit(source)) {
            open[source] = false;
            weights = mixing.at(step, open);
            startAnewIfOneLeft();
        }
    }

    private void startAnewIfOneLeft() {
        for (int i = 0; i < credits.length; i++) {
            if (weights[i] == 0 && credits[i] != 0) {
                Arrays.fill(credits, 0);
                return;
            }
        }
    }
}
