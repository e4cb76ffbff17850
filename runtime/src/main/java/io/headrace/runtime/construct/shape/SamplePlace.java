package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.plan.Placement;
import java.util.List;

/**
 * Where a sample's values go.
 *
 * @param microbatch microbatch of the rank
 * @param position place among the microbatch's samples
 * @param first where its media begin in the tensors that hold those of all samples
 */
public record SamplePlace(
        Placement placement,
        Descriptor descriptor,
        SampleShape shape,
        int microbatch,
        int position,
        MediaRows first) {

    /** Length of the sample in its row. */
    public int tokens() {
        return placement.features().tokens();
    }

    /** The text of the sample, the first if there are several. */
    public List<Part.Text> texts() {
        return descriptor.parts().stream()
                .filter(Part.Text.class::isInstance)
                .map(Part.Text.class::cast)
                .toList();
    }
}
