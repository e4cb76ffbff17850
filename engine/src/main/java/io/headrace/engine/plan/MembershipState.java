package io.headrace.engine.plan;

import io.headrace.engine.descriptor.SampleRef;
import java.util.List;

/**
 * Where membership stands before a step: all that the next steps follow from, besides the recipe. Plain numbers, to be written as
 * JSON; the same on every rank and for any number of ranks.
 *
 * @param step the step that comes next
 * @param positions samples taken from each source, over all its epochs
 * @param credits what each source is owed, in 2^-30 samples or tokens; they add up to 0
 * @param carry samples drawn but not yet delivered, which go into the next step
 */
public record MembershipState(
        long step, List<Long> positions, List<Long> credits, List<SampleRef> carry) {
    public MembershipState {
        positions = List.copyOf(positions);
        credits = List.copyOf(credits);
        carry = List.copyOf(carry);
        if (step < 0 || positions.size() != credits.size()) {
            throw new IllegalArgumentException(
                    "State before step %d with %d positions and %d credits"
                            .formatted(step, positions.size(), credits.size()));
        }
        if (credits.stream().mapToLong(Long::longValue).sum() != 0) {
            throw new IllegalArgumentException(
                    "State before step %d whose credits do not add up to 0: %s"
                            .formatted(step, credits));
        }
        for (long position : positions) {
            if (position < 0) {
                throw new IllegalArgumentException(
                        "State before step %d with position %d".formatted(step, position));
            }
        }
    }
}
