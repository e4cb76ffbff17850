package io.headrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.app.dashboard.EngineClient;
import io.headrace.app.recipe.DataCheck;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recipe with a source of weight 0 whose data is not there: prepared, run and explained, beside its running job. */
class ExplainTest {
    private static final int PICTURES = 8;

    @TempDir Path folder;

    private Path recipe;

    @BeforeEach
    void data() throws IOException {
        Files.createDirectory(folder.resolve("pictures"));
        for (int i = 0; i < PICTURES; i++) {
            BufferedImage picture = new BufferedImage(40 + i, 30, BufferedImage.TYPE_INT_RGB);
            ImageIO.write(picture, "jpg", folder.resolve("pictures/" + i + ".jpg").toFile());
        }
        recipe =
                Files.writeString(
                        folder.resolve("r.yaml"),
                        """
                        sources: {web: {path: pictures}, off: {path: nowhere.tar}}
                        mixture: {weights: {web: 1, off: 0}}
                        process: {model: clip}
                        batch: {samples: 4}
                        topology: {dp: 3}
                        """);
    }

    private CommandRun run(String command, String... more) {
        List<String> all = new ArrayList<>(List.of(command, recipe.toString()));
        all.addAll(Arrays.asList(more));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private Path socket() {
        return folder.resolve("run/job.sock");
    }

    private Engine engine(int ranks) throws IOException {
        Recipe read =
                switch (new RecipeReader(new DataCheck(), ranks).read(recipe)) {
                    case RecipeReader.Outcome.Accepted(Recipe accepted, _) -> accepted;
                    case RecipeReader.Outcome.Refused(var problems) ->
                            throw new AssertionError(problems.toString());
                };
        Indexes.bringUpToDate(read);
        return Engine.start(
                read,
                new EngineOptions(
                        "job",
                        recipe,
                        folder.resolve("work"),
                        DeliverySettings.local(socket()),
                        SlotSettings.defaults("job"),
                        EngineOptions.Ablation.NONE));
    }

    @Test
    void everyCommandTakesTheRanksOfTheCommandLine() {
        for (String command : List.of("lint", "prepare")) {
            CommandRun refused = run(command);
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.out() + refused.err()).contains("do not divide by 3 ranks");
            assertThat(run(command, "--ranks", "0").err()).contains("--ranks 0: at least 1");
            assertThat(run(command, "--ranks", "2").code()).isZero();
        }
    }

    @Test
    void aSourceOfWeightZeroIsNeitherPreparedNorOpened() throws IOException {
        assertThat(run("prepare", "--ranks", "2").err())
                .contains("sources.off")
                .contains("warning");
        assertThat(folder.resolve(".headrace/web.safetensors")).exists();
        assertThat(folder.resolve(".headrace/off.safetensors")).doesNotExist();
        assertThat(run("lint", "--ranks", "2").out()).contains("off: never opened, weight 0");
        try (Engine engine = engine(2)) {
            assertThat(new EngineClient(socket()).get("/v1/ranks/0/steps/0").path("step").asLong())
                    .isZero();
            engine.ended().complete("done");
        }
    }

    @Test
    void withoutAJobTheCostsArePredictedOnly() {
        CommandRun explained = run("explain", "0", "--ranks", "2");
        assertThat(explained.code()).isZero();
        assertThat(explained.out())
                .contains("step 0: 4 samples in 4 rows over 2 ranks x 1 microbatches")
                .contains("real costs: none, no job of this recipe runs on this host");
        assertThat(run("explain", "0", "--ranks", "2", "--socket=" + socket()).err())
                .contains("No engine listens on " + socket());
    }

    @Test
    void aRunningJobTellsWhatAStepReallyCost() throws IOException {
        try (Engine engine = engine(2)) {
            EngineClient client = new EngineClient(socket());
            client.get("/v1/ranks/0/steps/0");
            client.get("/v1/ranks/1/steps/0");
            String at = "--socket=" + socket();

            assertThat(run("explain", "0", "--ranks", "2", at).out())
                    .contains("real costs: from job job\n")
                    .containsPattern("rank 0: predicted cost \\d+; waited \\d+\\.\\d ms")
                    .containsPattern("web/\\d .* \\d+\\.\\d\\d\\R");
            assertThat(run("explain", "0", "--ranks", "4", at).out())
                    .contains("which has 2 ranks: --ranks 2 shows its plan")
                    .doesNotContain("waited");
            assertThat(run("explain", "9999", "--ranks", "2", at).out())
                    .contains("real costs: none, job job has not decoded this step");
            Files.writeString(recipe, "seed: 5\n" + Files.readString(recipe));
            assertThat(run("explain", "0", "--ranks", "2", at).out())
                    .contains("real costs: none, that job runs another recipe, or other data");
            engine.ended().complete("done");
        }
    }
}
