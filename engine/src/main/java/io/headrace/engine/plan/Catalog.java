package io.headrace.engine.plan;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.SampleRef;

/** The samples that a plan may choose from, by count and features alone. Answers are constant for the life of a job. */
public interface Catalog {

    /** Number of sources, in the order of the recipe. */
    int sources();

    /** Samples in a source. */
    long size(int source);

    /** Features of a sample as the recipe's processor will shape it. */
    Features features(SampleRef sample);
}
