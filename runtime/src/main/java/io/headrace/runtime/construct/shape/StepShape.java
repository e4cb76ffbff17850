package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.StepPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A rank's step before it is decoded: every sample's place, and the rows and lengths of each microbatch. Follows from plan and descriptors
 * alone.
 */
public record StepShape(long step, int rank, List<Microbatch> microbatches) {
    public StepShape {
        microbatches = List.copyOf(microbatches);
    }

    /**
     * @param rows rows or packs
     * @param lengthTokens length of a row
     * @param media rows of the media of all samples
     */
    public record Microbatch(
            int rows, int lengthTokens, MediaRows media, List<SamplePlace> samples) {
        public Microbatch {
            samples = List.copyOf(samples);
        }
    }

    /** The shape of a rank's part of a plan. */
    public static StepShape of(
            StepPlan plan,
            int rank,
            RowLength rowLength,
            SampleShaper shaper,
            Function<SampleRef, Descriptor> descriptors) {
        List<Microbatch> microbatches = new ArrayList<>();
        for (StepPlan.Microbatch microbatch : plan.ranks().get(rank).microbatches()) {
            microbatches.add(
                    microbatch(microbatch, microbatches.size(), rowLength, shaper, descriptors));
        }
        return new StepShape(plan.step(), rank, microbatches);
    }

    private static Microbatch microbatch(
            StepPlan.Microbatch planned,
            int number,
            RowLength rowLength,
            SampleShaper shaper,
            Function<SampleRef, Descriptor> descriptors) {
        List<SamplePlace> samples = new ArrayList<>();
        MediaRows media = MediaRows.NONE;
        int longest = 0;
        for (Placement placement : planned.placements()) {
            Descriptor descriptor = descriptors.apply(placement.sample());
            SampleShape shape = shaper.shape(descriptor);
            samples.add(
                    new SamplePlace(placement, descriptor, shape, number, samples.size(), media));
            media = media.plus(shape);
            longest = Math.max(longest, placement.features().tokens());
        }
        return new Microbatch(planned.rows(), rowLength.tokens(longest), media, samples);
    }

    /** All samples, microbatch by microbatch. */
    public List<SamplePlace> samples() {
        return microbatches.stream().flatMap(m -> m.samples().stream()).toList();
    }
}
