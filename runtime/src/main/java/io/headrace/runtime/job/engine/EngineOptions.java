package io.headrace.runtime.job.engine;

import io.headrace.runtime.deliver.DeliverySettings;
import io.headrace.runtime.deliver.slot.SlotSettings;
import java.nio.file.Path;

/**
 * How an engine runs, beside its recipe.
 *
 * @param job names the job on this host
 * @param workFolder where journal and ledger lie
 * @param slots shared memory of the job
 * @param rankLocal whether decode threads belong to ranks, one each, as in rank-local loaders; for comparison
 */
public record EngineOptions(
        String job,
        Path recipeFile,
        Path workFolder,
        DeliverySettings delivery,
        SlotSettings slots,
        boolean rankLocal) {}
