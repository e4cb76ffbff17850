package io.headrace.engine.plan;

import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.OrderSpec;
import java.util.List;

/**
 * What a trainer keeps to go on from a step: the state, and what it is only valid with. Plain fields, to be written as JSON. Read it
 * back through {@link Membership#resume}, which refuses data that would give other samples.
 *
 * @param format version of this record and of the order of samples; see {@link #FORMAT}
 * @param order the order that positions count in
 * @param sizes samples of each source, 0 for those not opened
 * @param unit what the credits count
 */
public record Checkpoint(
        int format,
        long seed,
        OrderSpec order,
        List<Long> sizes,
        MixtureSpec.Unit unit,
        MembershipState state) {

    /** Raised with every change of CHECKPOINT or ORDER. */
    public static final int FORMAT = 1;

    public Checkpoint {
        sizes = List.copyOf(sizes);
        if (sizes.size() != state.positions().size()) {
            throw new IllegalArgumentException(
                    "Checkpoint with sizes of %d sources and positions of %d"
                            .formatted(sizes.size(), state.positions().size()));
        }
    }
}
