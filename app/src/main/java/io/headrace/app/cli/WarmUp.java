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
import java.util.StringJoiner;
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
    private static final int SIDE = 200;

    /** Enough for the JVM to learn which code of a step is hot; it keeps that beside the classes. */
    private static final int STEPS = 400;

    private static final List<String> MODELS = List.of("clip", "siglip2", "qwen2_5_vl");
    private static final String RECIPE =
            """
            sources: {warm: {path: pictures, text: txt}}
            batch: {samples: 4}
            topology: {dp: 1}
            process:
              tokenizer: tokenizer.json
              model: \
            """;

    /** The least vocabulary that each of the models accepts: a letter, and the marks around pictures and turns. */
    private static final String TOKENIZER =
            """
            {"version": "1.0", "added_tokens": [MARKS],
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
             "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
            """;

    private static final List<String> MARKS =
            List.of(
                    "<|endoftext|>",
                    "<|startoftext|>",
                    "<pad>",
                    "<eos>",
                    "<|im_start|>",
                    "<|im_end|>",
                    "<|vision_start|>",
                    "<|vision_end|>",
                    "<|image_pad|>",
                    "<|video_pad|>");

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("headrace-warm-up");
        try {
            Files.createDirectory(folder.resolve("pictures"));
            for (int i = 0; i < PICTURES; i++) {
                BufferedImage picture =
                        new BufferedImage(SIDE + i, SIDE, BufferedImage.TYPE_INT_RGB);
                ImageIO.write(picture, "jpg", folder.resolve("pictures/" + i + ".jpg").toFile());
                Files.writeString(folder.resolve("pictures/" + i + ".txt"), "a");
            }
            Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
            for (String model : MODELS) {
                Path file = Files.writeString(folder.resolve("recipe.yaml"), RECIPE + model);
                switch (new RecipeReader().read(file)) {
                    case RecipeReader.Outcome.Accepted(Recipe recipe, var _) ->
                            serve(recipe, folder, model);
                    case RecipeReader.Outcome.Refused(var problems) ->
                            throw new RefusedRecipe(problems);
                }
            }
            return ExitCode.OK;
        } finally {
            delete(folder);
        }
    }

    private static String tokenizer() {
        StringJoiner marks = new StringJoiner(", ");
        for (String mark : MARKS) {
            marks.add(
                    "{\"id\": %d, \"content\": \"%s\", \"special\": true, \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false}"
                            .formatted(1 + MARKS.indexOf(mark), mark));
        }
        return TOKENIZER.replace("MARKS", marks.toString());
    }

    private static void serve(Recipe recipe, Path folder, String model) throws IOException {
        Indexes.bringUpToDate(recipe);
        Path socket = folder.resolve("warm.sock");
        EngineOptions options =
                new EngineOptions(
                        "warm-up",
                        folder.resolve("recipe.yaml"),
                        folder.resolve("work-" + model),
                        DeliverySettings.local(socket),
                        SlotSettings.defaults("warm-up"),
                        EngineOptions.Ablation.NONE);
        try (Engine engine = Engine.start(recipe, options)) {
            EngineClient client = new EngineClient(socket);
            List.of("/v1/job", "/v1/ranks/0/steps/0", "/v1/state?step=1", "/v1/status")
                    .forEach(path -> ask(client, path));
            for (int step = 1; step < STEPS; step++) {
                ask(client, "/v1/ranks/0/steps/" + step);
            }
            engine.ended().complete("warm");
        }
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
