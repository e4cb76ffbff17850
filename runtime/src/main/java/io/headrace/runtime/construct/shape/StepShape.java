package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.SampleRef;
import io.headrace.engine.plan.Placement;
import io.headrace.engine.plan.StepPlan;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.video.VideoLayout;
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
     * @param pixelRows rows of {@code pixel_values} where the model takes patches
     * @param images pictures of all samples
     * @param videoRows rows of {@code pixel_values_videos} where the model takes patches
     * @param videos videos of all samples
     */
    public record Microbatch(
            int rows,
            int lengthTokens,
            int pixelRows,
            int images,
            int videoRows,
            int videos,
            List<SamplePlace> samples) {
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
        int pixelRows = 0;
        int images = 0;
        int videoRows = 0;
        int videos = 0;
        int longest = 0;
        for (Placement placement : planned.placements()) {
            Descriptor descriptor = descriptors.apply(placement.sample());
            SampleShape shape = shaper.shape(descriptor);
            samples.add(
                    new SamplePlace(
                            placement,
                            descriptor,
                            shape,
                            number,
                            samples.size(),
                            pixelRows,
                            videoRows));
            pixelRows += shape.images().stream().mapToInt(ImageLayout::rows).sum();
            images += shape.images().size();
            videoRows += shape.videos().stream().mapToInt(VideoLayout::rows).sum();
            videos += shape.videos().size();
            longest = Math.max(longest, placement.features().tokens());
        }
        return new Microbatch(
                planned.rows(),
                rowLength.tokens(longest),
                pixelRows,
                images,
                videoRows,
                videos,
                samples);
    }

    /** All samples, microbatch by microbatch. */
    public List<SamplePlace> samples() {
        return microbatches.stream().flatMap(m -> m.samples().stream()).toList();
    }
}
