package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.StepPlan;
import io.headrace.runtime.deliver.slot.SlotLayout;
import java.util.function.Function;

/**
 * From a plan to the layout of each rank's slot. Holds what a recipe decides about shapes. Used by one thread at a time.
 *
 * @param descriptors the descriptor of a sample, from its index
 */
public record StepShapes(
        StepTensors tensors,
        RowLength rowLength,
        SampleShaper shaper,
        Function<SampleRef, Descriptor> descriptors) {

    /** The shape of a rank's part of a plan. */
    public StepShape shape(StepPlan plan, int rank) {
        return StepShape.of(plan, rank, rowLength, shaper, descriptors);
    }

    /** The slot of a shape. */
    public SlotLayout layout(StepShape shape) {
        return tensors.layout(shape);
    }
}
