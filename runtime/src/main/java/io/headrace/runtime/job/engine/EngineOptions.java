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
 * @param ablation what is off, for comparison
 */
public record EngineOptions(
        String job,
        Path recipeFile,
        Path workFolder,
        DeliverySettings delivery,
        SlotSettings slots,
        Ablation ablation) {

    /**
     * One mechanism off at a time shows what it is worth.
     *
     * @param rankLocal whether decode threads belong to ranks, one each, as in rank-local loaders
     * @param wholeSamples whether long videos are decoded by one thread each
     * @param decodeFactor how many times the CPU time of decoding each sample takes, at least 1: a slower decoder
     */
    public record Ablation(boolean rankLocal, boolean wholeSamples, double decodeFactor) {

        public static final Ablation NONE = new Ablation(false, false, 1);

        public Ablation {
            if (!(decodeFactor >= 1)) {
                throw new IllegalArgumentException(
                        "A decoder is slowed down by a factor of at least 1, not " + decodeFactor);
            }
        }
    }
}
