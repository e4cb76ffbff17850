package io.headrace.app.cli;

import io.headrace.engine.recipe.Recipe;
import io.headrace.runtime.deliver.DeliverySettings;
import io.headrace.runtime.deliver.SocketFolder;
import io.headrace.runtime.deliver.slot.SlotSettings;
import io.headrace.runtime.job.engine.Engine;
import io.headrace.runtime.job.engine.EngineOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headrace run}: the engine of this host, until its last rank has gone or it is told to stop. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Runs the engine of this host. Ranks that use the Python client start it themselves; by hand it"
                        + " is for a look at a recipe, or for an engine that outlives its ranks.")
final class Run implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    @Mixin private RecipeFile recipeFile;

    @Option(
            names = "--job",
            defaultValue = "default",
            description = "Names the job on this host. Default: ${DEFAULT-VALUE}.")
    private String job;

    @Option(
            names = "--socket",
            description = "Unix socket of the ranks. Default: in the user's runtime folder.")
    private @Nullable Path socket;

    @Option(
            names = "--client-grace",
            paramLabel = "SECONDS",
            description = "End so long after the last rank has gone. Default: never.")
    private @Nullable Double clientGraceSeconds;

    @Option(
            names = "--started-by",
            paramLabel = "CLIENT",
            description =
                    "The rank that starts the engine, as PID/START/NAMESPACE. If it is gone before any"
                            + " rank came, the engine ends after the client grace.")
    private @Nullable String starter;

    @Option(
            names = "--slot-bytes",
            paramLabel = "BYTES",
            description = "The most shared memory that slots take. Default: half of what is free.")
    private @Nullable Long slotBytes;

    @Option(
            names = "--rank-local",
            description = "One decode thread for each rank and none shared, for comparison.")
    private boolean rankLocal;

    @Option(
            names = "--whole-samples",
            description = "One decode thread for each video, however long, for comparison.")
    private boolean wholeSamples;

    @Option(
            names = "--decode-factor",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description = "Decoding takes so many times its CPU time, for comparison.")
    private double decodeFactor = 1;

    @Override
    public Integer call() throws IOException {
        Recipe recipe = recipeFile.load();
        Indexes.bringUpToDate(recipe);
        try (Engine engine = Engine.start(recipe, options(recipe))) {
            engine.endOnSignal();
            LOG.info("job {} serves {} ranks", job, recipe.topology().dp());
            LOG.info("job {} ends: {}", job, engine.ended().join());
        }
        return ExitCode.OK;
    }

    private EngineOptions options(Recipe recipe) {
        Path at = socket == null ? SocketFolder.socket(job) : socket;
        DeliverySettings delivery = DeliverySettings.local(at);
        Double grace = clientGraceSeconds;
        if (grace != null) {
            delivery = delivery.withClientGrace(Duration.ofMillis(Math.round(grace * 1000)));
        }
        String startedBy = starter;
        if (startedBy != null) {
            delivery = delivery.withStarter(startedBy);
        }
        SlotSettings slots = SlotSettings.defaults(job);
        Long bytes = slotBytes;
        return new EngineOptions(
                job,
                recipeFile.file().toAbsolutePath(),
                recipe.indexFolder().resolve("jobs").resolve(job),
                delivery,
                bytes == null ? slots : slots.withLimitBytes(bytes),
                new EngineOptions.Ablation(rankLocal, wholeSamples, decodeFactor));
    }
}
