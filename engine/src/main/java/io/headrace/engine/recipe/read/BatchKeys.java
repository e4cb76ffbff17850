package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.Topology;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Problems;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Value.Fields;
import java.util.List;

/** The sections {@code batch} and {@code topology}: a batch divides evenly over ranks and microbatches. */
final class BatchKeys {
    static final Type.Section BATCH =
            Type.Section.of(
                    Key.derived(
                                    "samples",
                                    new Type.Whole(1, 1 << 24),
                                    "none; give `samples`, or `packs` and `length`",
                                    "Samples of a step, over all ranks and microbatches; one a row.")
                            .in("samples")
                            .meant("size", "batch_size", "global_batch_size"),
                    Key.derived(
                                    "packs",
                                    new Type.Whole(1, 1 << 24),
                                    "none",
                                    "Rows of a step, over all ranks and microbatches; several"
                                            + " samples a row. For `qwen2_5_vl`, `qwen3_vl`, `internvl`, `llava_onevision`,"
                                            + " `qwen2_audio` and `text`.")
                            .in("rows"),
                    Key.derived("length", new Type.Whole(16, 1 << 22), "none", "Length of a pack.")
                            .in("tokens")
                            .meant("pack_length", "sequence_length", "seq_len"),
                    Key.fixed(
                                    "microbatches",
                                    new Type.Whole(1, 4096),
                                    "1",
                                    "Microbatches of each rank in a step.")
                            .meant("gradient_accumulation", "gradient_accumulation_steps"));

    static final Type.Section TOPOLOGY =
            Type.Section.of(
                    side("dp", "1", "Data-parallel ranks; `--ranks` overrides it.")
                            .meant("ranks", "world_size", "data_parallel"),
                    side("tp", "1", "Tensor-parallel ranks; this version takes 1."),
                    side("cp", "1", "Context-parallel ranks; this version takes 1."),
                    side("pp", "1", "Pipeline stages; this version takes 1."));

    private BatchKeys() {}

    private static Key side(String name, String value, String doc) {
        return Key.fixed(name, new Type.Whole(1, 65_536), value, doc).in("ranks");
    }

    static Topology topology(Fields topology, Surroundings at) {
        for (String side : List.of("tp", "cp", "pp")) {
            if (topology.sound(side) && topology.whole(side) > 1) {
                at.problems()
                        .error(
                                topology.of(side).place(),
                                topology.path() + "." + side,
                                "'" + side + "' above 1 is not in this version",
                                "1",
                                "1");
            }
        }
        int dp = at.ranks() > 0 ? at.ranks() : topology.small("dp");
        return new Topology(dp, topology.small("tp"), topology.small("cp"), topology.small("pp"));
    }

    static BatchSpec resolve(Fields batch, Fields topology, Surroundings at) {
        boolean packs = batch.has("packs") || batch.has("length");
        checkShape(batch, packs, at.problems());
        String count = packs ? "packs" : "samples";
        boolean sound = batch.has(count) && batch.sound(count, "microbatches");
        if (sound && (at.ranks() > 0 || topology.sound("dp"))) {
            checkDivides(batch, count, topology, at);
        }
        int microbatches = batch.small("microbatches");
        return packs
                ? new BatchSpec.Packs(batch.small("packs"), batch.small("length"), microbatches)
                : new BatchSpec.Samples(batch.small("samples"), microbatches);
    }

    private static void checkShape(Fields batch, boolean packs, Problems problems) {
        if (batch.has("samples") && packs) {
            problems.error(
                    batch.keyPlace("samples"),
                    batch.path() + ".samples",
                    "both samples and packs are given, keep one",
                    "",
                    "samples; or packs and length");
        } else if (packs && !batch.has("packs")) {
            problems.error(batch.place(), batch.path(), "'length' is given without 'packs'");
        } else if (packs && !batch.has("length")) {
            problems.error(batch.place(), batch.path(), "'packs' is given without 'length'");
        } else if (!packs && !batch.has("samples") && batch.sound()) {
            problems.error(
                    batch.place(),
                    batch.path(),
                    "the size of a step is missing",
                    "",
                    "samples; or packs and length");
        }
    }

    private static void checkDivides(Fields batch, String key, Fields topology, Surroundings at) {
        long dp = at.ranks() > 0 ? at.ranks() : topology.whole("dp");
        long unit = dp * batch.whole("microbatches");
        long count = batch.whole(key);
        if (count % unit != 0) {
            long below = count / unit * unit;
            at.problems()
                    .error(
                            batch.of(key).place(),
                            batch.path() + "." + key,
                            String.format(
                                    "%d %s do not divide by %d ranks x %d microbatches = %d",
                                    count, key, dp, batch.whole("microbatches"), unit),
                            (below > 0 ? below + " or " : "") + (below + unit),
                            "a multiple of " + unit);
        }
    }
}
