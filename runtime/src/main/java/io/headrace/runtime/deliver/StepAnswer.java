package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Slot;

/** What a rank gets for the step that it asked for. */
public sealed interface StepAnswer {

    /** The committed slot of the step. */
    record Ready(Slot slot) implements StepAnswer {}

    /** Asked for ahead, but beyond the steps that are made ready for the rank: it has to ask again when it comes for it. */
    record NotYet() implements StepAnswer {}

    /** There is no such step: the pass is over after {@code steps} steps. */
    record End(long steps) implements StepAnswer {}
}
