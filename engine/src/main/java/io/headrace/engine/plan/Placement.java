package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;

/**
 * The place of one sample within its microbatch.
 *
 * @param row row of the batch, or the pack
 * @param offsetTokens first position of the sample in its row: 0 but in packs
 * @param filler true where the sample only fills a last, short batch: its place is masked and the sample counts as not delivered
 */
public record Placement(
        SampleRef sample, Features features, int row, int offsetTokens, boolean filler) {}
