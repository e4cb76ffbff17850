package io.headrace.runtime.deliver.report;

import java.util.List;

/**
 * What a rank needs to know of its job.
 *
 * @param recipe path of the recipe
 * @param fingerprint names what decides the samples of a step: recipe, seed and indexes
 * @param steps length of the pass; -1 if it has no end
 * @param nextStep the first step that a new job has not delivered yet: 0, or that of a restored checkpoint
 * @param waitWarningMillis a rank that waits longer is told for what
 * @param wireTables how levels become values, for each tensor of levels; none unless the recipe's wire is uint8
 */
public record JobReport(
        String job,
        String recipe,
        String fingerprint,
        int ranks,
        int microbatches,
        long steps,
        long nextStep,
        long waitWarningMillis,
        List<WireTable> wireTables) {
    public JobReport {
        wireTables = List.copyOf(wireTables);
    }
}
