package io.headrace.app.cli;

import io.headrace.app.dashboard.EngineClient;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.read.RecipeReader;
import io.headrace.runtime.deliver.DeliverySettings;
import io.headrace.runtime.deliver.slot.SlotSettings;
import io.headrace.runtime.job.engine.Engine;
import io.headrace.runtime.job.engine.EngineOptions;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import picocli.CommandLine.Command;

/**
 * {@code headrace warm-up}: starts an engine on a few pictures of its own and takes steps from it. The launcher runs it once after a
 * build, so that the classes of an engine's start, and the profile of its hot code, are in the JVM's cache.
 */
@Command(name = "warm-up", hidden = true)
final class WarmUp implements Callable<Integer> {
    private static final int PICTURES = 4;
    private static final int SIDE = 64;

    /** Enough for the JVM to learn which code of a step is hot; it keeps that beside the classes. */
    private static final int STEPS = 1500;

    private static final String RECIPE =
            """
            sources: {warm: {path: pictures}}
            process: {model: clip}
            batch: {samples: 4}
            topology: {dp: 1}
            """;

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("headrace-warm-up");
        try {
            Files.createDirectory(folder.resolve("pictures"));
            for (int i = 0; i < PICTURES; i++) {
                BufferedImage picture =
                        new BufferedImage(SIDE + i, SIDE, BufferedImage.TYPE_INT_RGB);
                ImageIO.write(picture, "jpg", folder.resolve("pictures/" + i + ".jpg").toFile());
            }
            Path file = Files.writeString(folder.resolve("recipe.yaml"), RECIPE);
            return switch (new RecipeReader().read(file)) {
                case RecipeReader.Outcome.Accepted(Recipe recipe, var _) -> serve(recipe, folder);
                case RecipeReader.Outcome.Refused(var problems) ->
                        throw new RefusedRecipe(problems);
            };
        } finally {
            delete(folder);
        }
    }

    private static Integer serve(Recipe recipe, Path folder) throws IOException {
        Indexes.bringUpToDate(recipe);
        Path socket = folder.resolve("warm.sock");
        EngineOptions options =
                new EngineOptions(
                        "warm-up",
                        folder.resolve("recipe.yaml"),
                        folder.resolve("work"),
                        DeliverySettings.local(socket),
                        SlotSettings.defaults("warm-up"),
                        false);
        try (Engine engine = Engine.start(recipe, options)) {
            EngineClient client = new EngineClient(socket);
            List.of("/v1/job", "/v1/ranks/0/steps/0", "/v1/state?step=1", "/v1/status")
                    .forEach(path -> ask(client, path));
            for (int step = 1; step < STEPS; step++) {
                ask(client, "/v1/ranks/0/steps/" + step);
            }
            engine.ended().complete("warm");
        }
        return ExitCode.OK;
    }

    private static void ask(EngineClient client, String path) {
        try {
            client.get(path);
        } catch (IOException e) {
            throw new UserError("the warm-up failed at " + path + ": " + e.getMessage(), e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
