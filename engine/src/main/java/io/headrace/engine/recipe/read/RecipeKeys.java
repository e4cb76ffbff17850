package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.DeliverySpec;
import io.headrace.engine.recipe.ErrorSpec.Policy;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Type.Choice;
import java.util.List;

/** The table of all keys of a recipe: reading, messages, defaults and {@code docs/recipe.md} follow from it. */
final class RecipeKeys {
    private static final Type.Section ERRORS =
            Type.Section.of(
                    Key.fixed(
                                    "policy",
                                    Choice.of(
                                            Policy.class,
                                            "its place stays, masked, and the ledger names it",
                                            "the job ends with the error"),
                                    "mask",
                                    "What becomes of a sample that cannot be read or decoded.")
                            .meant("on_error"),
                    Key.fixed(
                                    "stop_after_consecutive",
                                    new Type.Whole(1, 1 << 30),
                                    "100",
                                    "So many bad samples in a row end the job under `mask` too.")
                            .in("samples"));

    private static final Type.Section DELIVERY =
            Type.Section.of(
                    Key.fixed(
                                    "ready_ahead",
                                    new Type.Whole(1, 64),
                                    "2",
                                    "Steps held ready in shared memory for each rank.")
                            .in("steps")
                            .meant("prefetch", "prefetch_factor"),
                    Key.fixed(
                                    "decode_threads",
                                    new Type.Whole(0, 4096),
                                    "0",
                                    "Size of the decode pool of a host; 0: the cores that the host"
                                            + " or its container gives.")
                            .in("threads")
                            .meant("num_workers", "workers", "threads"),
                    Key.fixed(
                            "schedule",
                            Choice.of(
                                    DeliverySpec.Schedule.class,
                                    "by deadlines and what is left to do for them",
                                    "the first step first, in it the longest work first",
                                    "in the order of the plan"),
                            "deadline",
                            "In which order samples are decoded."),
                    Key.fixed(
                            "wait_warning",
                            new Type.Time(1, 86_400_000),
                            "10s",
                            "A rank that waits longer is told for what it waits."));

    static final Type.Section ROOT =
            Type.Section.of(
                    Key.fixed(
                                    "seed",
                                    new Type.Whole(0, Long.MAX_VALUE),
                                    "0",
                                    "Fixes the order of samples, together with the recipe.")
                            .meant("random_seed"),
                    Key.fixed(
                                    "index",
                                    new Type.Text("the path of a folder"),
                                    ".headrace",
                                    "Folder of the indexes that `headrace prepare` writes; relative"
                                            + " to the recipe's folder.")
                            .meant("index_folder", "index_dir", "cache_dir"),
                    new Key(
                            "sources",
                            SourceKeys.TYPE,
                            new Key.Fallback.Required(),
                            "",
                            "The data sets, each under a name of its own.",
                            List.of("datasets", "data")),
                    Key.section("mixture", MixtureKeys.TYPE, "How the sources are mixed.")
                            .meant("mix"),
                    OrderKeys.ORDER.meant("shuffle"),
                    OrderKeys.EPOCHS,
                    OrderKeys.LAST,
                    Key.required(
                                    "process",
                                    ProcessKeys.TYPE,
                                    "From files to the tensors of a model.")
                            .meant("processing", "preprocess"),
                    Key.required("batch", BatchKeys.BATCH, "What makes a step."),
                    Key.section("topology", BatchKeys.TOPOLOGY, "The ranks of the job.")
                            .meant("parallelism", "mesh"),
                    Key.section("plan", PlanKeys.TYPE, "How a step is planned."),
                    Key.section("errors", ERRORS, "What becomes of bad samples."),
                    Key.section("delivery", DELIVERY, "What the engine of a host may hold."));

    private RecipeKeys() {}
}
