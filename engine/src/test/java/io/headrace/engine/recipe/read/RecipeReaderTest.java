package io.headrace.engine.recipe.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.DeliverySpec;
import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.PlanSpec;
import io.headrace.engine.recipe.PlanSpec.Cost;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.TextSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.engine.recipe.Topology;
import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import io.headrace.engine.recipe.schema.RecipeProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeReaderTest {
    @TempDir Path folder;

    @BeforeEach
    void tokenizer() throws IOException {
        Files.writeString(folder.resolve("tok.json"), "{}");
    }

    @Test
    void defaults() {
        Recipe recipe = Recipes.accepted(folder, Recipes.SMALL);

        assertThat(recipe)
                .isEqualTo(
                        new Recipe(
                                folder,
                                folder.resolve(".headrace"),
                                0,
                                List.of(
                                        new SourceSpec(
                                                "web",
                                                List.of("web.tar"),
                                                List.of(),
                                                List.of(),
                                                List.of(),
                                                "")),
                                new MixtureSpec(
                                        Unit.SAMPLES,
                                        List.of(new Stage(0, List.of(1.0), Ramp.STEP)),
                                        Exhaustion.REPEAT),
                                new OrderSpec(
                                        OrderSpec.Kind.SHUFFLE, 256, 64, 0, OrderSpec.Last.DROP),
                                new ProcessSpec(
                                        new Model.Clip(224),
                                        ProcessSpec.Quality.EXACT,
                                        ProcessSpec.Wire.FLOAT32,
                                        ProcessSpec.Alpha.WHITE,
                                        true,
                                        178_956_970,
                                        new TextSpec(null, ProcessSpec.Template.PLAIN, 77)),
                                new BatchSpec.Samples(8, 1),
                                new Topology(1, 1, 1, 1),
                                new PlanSpec(
                                        new Cost(1, 2e-5),
                                        new Cost(1, 1e-5),
                                        PlanSpec.Method.KARMARKAR_KARP,
                                        PlanSpec.Over.HYBRID),
                                new ErrorSpec(ErrorSpec.Policy.MASK, 100),
                                new DeliverySpec(2, 0, DeliverySpec.Schedule.DEADLINE, 10_000)));
    }

    @Test
    void everyKey() {
        Recipe recipe =
                Recipes.accepted(
                        folder,
                        """
                        seed: 17
                        index: idx
                        sources:
                          web: {path: "web-{0..3}.tar", image: jpg, text: txt}
                          2024: {path: [a.parquet, "b/*.parquet"], image: [left, right], text: caption}
                        mixture:
                          unit: tokens
                          stages:
                            - {from: 0, weights: {2024: 0, web: 6}}
                            - {from: 20_000, weights: {web: 4.5, 2024: 3e0}, ramp: linear}
                          exhausted: stop_first
                        order: {kind: shuffle, block: 32, window: 8}
                        epochs: 3
                        last: pad
                        process:
                          model: qwen2_5_vl
                          tokenizer: tok.json
                          template: plain
                          max_tokens: 1024
                          image: {min_pixels: 784, max_pixels: 501760}
                          quality: fast
                          wire: uint8
                          alpha: drop
                          orientation: ignore
                          max_image_pixels: 1_000_000
                        batch: {packs: 64, length: 8192, microbatches: 4}
                        topology: {dp: 8, tp: 1, cp: 1, pp: 1}
                        plan:
                          cost: {encoder: {patches: 2, patches^2: 0.5}, backbone: {tokens: 3, tokens^2: 0}}
                          balance: {method: greedy, over: encoder}
                        errors: {policy: stop, stop_after_consecutive: 5}
                        delivery: {ready_ahead: 4, decode_threads: 6, wait_warning: 500ms}
                        """);

        assertThat(recipe)
                .isEqualTo(
                        new Recipe(
                                folder,
                                folder.resolve("idx"),
                                17,
                                List.of(
                                        new SourceSpec(
                                                "web",
                                                List.of("web-{0..3}.tar"),
                                                List.of("jpg"),
                                                List.of(),
                                                List.of(),
                                                "txt"),
                                        new SourceSpec(
                                                "2024",
                                                List.of("a.parquet", "b/*.parquet"),
                                                List.of("left", "right"),
                                                List.of(),
                                                List.of(),
                                                "caption")),
                                new MixtureSpec(
                                        Unit.TOKENS,
                                        List.of(
                                                new Stage(0, List.of(6.0, 0.0), Ramp.STEP),
                                                new Stage(20_000, List.of(4.5, 3.0), Ramp.LINEAR)),
                                        Exhaustion.STOP_FIRST),
                                new OrderSpec(OrderSpec.Kind.SHUFFLE, 32, 8, 3, OrderSpec.Last.PAD),
                                new ProcessSpec(
                                        new Model.Qwen25Vl(
                                                784, 501_760, ProcessSpec.VideoSpec.QWEN2_5),
                                        ProcessSpec.Quality.FAST,
                                        ProcessSpec.Wire.UINT8,
                                        ProcessSpec.Alpha.DROP,
                                        false,
                                        1_000_000,
                                        new TextSpec(
                                                folder.resolve("tok.json"),
                                                ProcessSpec.Template.PLAIN,
                                                1024)),
                                new BatchSpec.Packs(64, 8192, 4),
                                new Topology(8, 1, 1, 1),
                                new PlanSpec(
                                        new Cost(2, 0.5),
                                        new Cost(3, 0),
                                        PlanSpec.Method.GREEDY,
                                        PlanSpec.Over.ENCODER),
                                new ErrorSpec(ErrorSpec.Policy.STOP, 5),
                                new DeliverySpec(4, 6, DeliverySpec.Schedule.DEADLINE, 500)));
    }

    @Test
    void anIndexIsNamedByItsSource() {
        Recipe recipe = Recipes.accepted(folder, Recipes.SMALL);
        assertThat(recipe.indexFile(recipe.sources().getFirst()))
                .isEqualTo(folder.resolve(".headrace/web.safetensors"));
    }

    @Test
    void modelsHaveTheirOwnDefaults() {
        String siglip = Recipes.SMALL.replace("model: clip", "model: siglip");
        String siglip2 = Recipes.SMALL.replace("model: clip", "model: siglip2");
        String qwen =
                Recipes.SMALL.replace("model: clip", "model: qwen2_5_vl, tokenizer: tok.json");

        assertThat(Recipes.accepted(folder, siglip).process().model())
                .isEqualTo(new Model.Siglip(224));
        assertThat(Recipes.accepted(folder, siglip2).process().model())
                .isEqualTo(new Model.Siglip2(16, 256));
        assertThat(Recipes.accepted(folder, siglip2).process().text().maxTokens()).isEqualTo(64);
        assertThat(Recipes.accepted(folder, qwen).process().model())
                .isEqualTo(new Model.Qwen25Vl(3136, 1_003_520, ProcessSpec.VideoSpec.QWEN2_5));
        assertThat(Recipes.accepted(folder, qwen).process().text().template())
                .isEqualTo(ProcessSpec.Template.CHATML);
    }

    @Test
    void modelsOfManyTokensTakeTheirLargestPictureByDefault() {
        String small = Recipes.SMALL.replace("model: clip", "model: M, tokenizer: tok.json");
        assertThat(Recipes.accepted(folder, small.replace("M,", "qwen3_vl,")).process().model())
                .isEqualTo(new Model.Qwen3Vl(65_536, 16_777_216, ProcessSpec.VideoSpec.QWEN3));
        assertThat(Recipes.accepted(folder, small.replace("M,", "internvl,")).process().model())
                .isEqualTo(new Model.InternVl(12));
        String capped = small.replace("M,", "qwen3_vl, video: {max_video_tokens: 768},");
        assertThat(Recipes.accepted(folder, capped).process().model())
                .isEqualTo(
                        new Model.Qwen3Vl(
                                65_536,
                                16_777_216,
                                new ProcessSpec.VideoSpec(2, 0, 4, 768, 4096, 25_165_824, 768)));
        String llava = small.replace("M,", "llava_onevision,");
        assertThat(Recipes.accepted(folder, llava).process().model())
                .isEqualTo(new Model.LlavaOnevision(32));
        assertThat(Recipes.accepted(folder, llava).process().text().maxTokens()).isEqualTo(32_768);
    }

    @Test
    void bucketsOfVideoDiffusionAreNamedOrWrittenOut() {
        String small = Recipes.SMALL.replace("model: clip", "model: video_diffusion");
        String written =
                small.replace(
                        "model: video_diffusion",
                        "model: video_diffusion, video: {buckets: open_sora_256, sizes: [832x480, 480 x 832], fps: 12, max_frames: 33}");
        assertThat(Recipes.accepted(folder, small).process().model())
                .isEqualTo(
                        new Model.VideoDiffusion(ProcessSpec.Buckets.WAN_480P, List.of(), 0, 0, 0));
        assertThat(Recipes.accepted(folder, written).process().model())
                .isEqualTo(
                        new Model.VideoDiffusion(
                                ProcessSpec.Buckets.OPEN_SORA_256,
                                List.of(
                                        new ProcessSpec.FrameSize(832, 480),
                                        new ProcessSpec.FrameSize(480, 832)),
                                12,
                                0,
                                33));
    }

    @Test
    void packsCapASampleAtTheirLength() {
        String packs =
                """
                sources: {docs: {path: docs.jsonl, text: text}}
                process: {model: text, tokenizer: tok.json}
                batch: {packs: 8, length: 512}
                """;
        assertThat(Recipes.accepted(folder, packs).process().text().maxTokens()).isEqualTo(512);
    }

    @Test
    void finitePassesAndExhaustionFollowFromEachOther() {
        Recipe eval = Recipes.accepted(folder, Recipes.SMALL + "order: sequential\nepochs: 1\n");
        Recipe first =
                Recipes.accepted(folder, Recipes.SMALL + "mixture: {exhausted: stop_first}\n");

        assertThat(eval.order().kind()).isEqualTo(OrderSpec.Kind.SEQUENTIAL);
        assertThat(eval.mixture().exhaustion()).isEqualTo(Exhaustion.STOP_ALL);
        assertThat(first.order().epochs()).isEqualTo(1);
    }

    @Test
    void anchorsAndMergeKeys() {
        Recipe recipe =
                Recipes.accepted(
                        folder,
                        """
                        sources:
                          a: &tar {path: a.tar, image: jpg, text: txt}
                          b: {<<: *tar, path: b.tar}
                        mixture: {weights: &w {a: 1, b: 2}}
                        process: {model: clip, tokenizer: tok.json}
                        batch: {samples: 8}
                        """);
        assertThat(recipe.sources().get(1))
                .isEqualTo(
                        new SourceSpec(
                                "b",
                                List.of("b.tar"),
                                List.of("jpg"),
                                List.of(),
                                List.of(),
                                "txt"));
    }

    @Test
    void byteOrderMarkAndWindowsLineEnds() {
        String windows = "\uFEFF" + Recipes.SMALL.replace("\n", "\r\n");
        assertThat(Recipes.accepted(folder, windows))
                .isEqualTo(Recipes.accepted(folder, Recipes.SMALL));
    }

    @Test
    void ranksOfTheCommandLineReplaceTheTopology() {
        byte[] yaml = Recipes.SMALL.getBytes(StandardCharsets.UTF_8);
        Outcome four = new RecipeReader(SourceCheck.NONE, 4).read("r.yaml", yaml, folder);
        Outcome three = new RecipeReader(SourceCheck.NONE, 3).read("r.yaml", yaml, folder);

        assertThat(four)
                .isInstanceOfSatisfying(
                        Outcome.Accepted.class,
                        a -> assertThat(a.recipe().topology().dp()).isEqualTo(4));
        assertThat(three.problems()).extracting(RecipeProblem::nearest).containsExactly("6 or 9");
    }

    @Test
    void dataIsLookedAtOncePerPattern() {
        List<String> asked = new ArrayList<>();
        SourceCheck check =
                (at, pattern) -> {
                    asked.add(at + " " + pattern);
                    return pattern.startsWith("no") ? Optional.of("nothing") : Optional.empty();
                };
        String yaml = Recipes.SMALL.replace("web.tar", "[web.tar, 'no-*.tar']");
        Outcome outcome =
                new RecipeReader(check, 0)
                        .read("r.yaml", yaml.getBytes(StandardCharsets.UTF_8), folder);

        assertThat(asked).containsExactly(folder + " web.tar", folder + " no-*.tar");
        assertThat(outcome.problems())
                .singleElement()
                .satisfies(
                        p -> {
                            assertThat(p.path()).isEqualTo("sources.web.path[1]");
                            assertThat(p.place().column()).isEqualTo(33);
                        });
    }

    @Test
    void dataOfASourceOfWeightZeroIsNotLookedAt() {
        SourceCheck nothingThere = (at, pattern) -> Optional.of("no file " + pattern);
        String yaml =
                """
                sources: {web: {path: web.tar}, off: {path: off.tar}, later: {path: later.tar}}
                mixture:
                  stages:
                    - {from: 0, weights: {web: 1, off: 0, later: 0}}
                    - {from: 9, weights: {web: 1, off: 0, later: 1}}
                process: {model: clip}
                batch: {samples: 8}
                """;
        List<RecipeProblem> problems =
                new RecipeReader(nothingThere, 0)
                        .read("r.yaml", yaml.getBytes(StandardCharsets.UTF_8), folder)
                        .problems();

        assertThat(problems)
                .extracting(RecipeProblem::path)
                .containsExactly("sources.web.path", "sources.off", "sources.later.path");
        assertThat(problems.get(1).severity()).isEqualTo(RecipeProblem.Severity.WARNING);
        assertThat(problems.get(1).message()).contains("never opened");
        assertThat(Recipes.accepted(folder, yaml).usedSources())
                .extracting(SourceSpec::name)
                .containsExactly("web", "later");
    }

    @Test
    void filesThatCannotBeRead() throws IOException {
        Path large = Files.write(folder.resolve("large.yaml"), new byte[5 << 20]);
        assertThat(new RecipeReader().read(folder.resolve("none.yaml")).problems())
                .singleElement()
                .satisfies(p -> assertThat(p.text()).endsWith("none.yaml: error: no such file"));
        assertThat(new RecipeReader().read(folder).problems())
                .singleElement()
                .satisfies(p -> assertThat(p.message()).isEqualTo("a folder, not a file"));
        assertThat(new RecipeReader().read(large).problems())
                .singleElement()
                .satisfies(
                        p ->
                                assertThat(p.message())
                                        .isEqualTo("larger than 4194304 bytes, not a recipe"));
    }

    @Test
    void aMessageShowsTheLine() {
        Outcome outcome = Recipes.read(folder, Recipes.SMALL.replace("samples", "smaples"));
        assertThat(outcome.problems().getFirst().text())
                .isEqualTo(
                        """
                        recipe.yaml:3:9: error: batch.smaples: unknown key
                            3 | batch: {smaples: 8}
                              |         ^
                              = did you mean: samples?
                              = allowed: samples, packs, length, microbatches""");
    }

    @Test
    void aLongLineIsCutAroundTheCaret() {
        String shards = "x.tar, ".repeat(200) + "[], " + "y.tar, ".repeat(200);
        Outcome outcome =
                Recipes.read(folder, Recipes.SMALL.replace("web.tar", "[" + shards + "]"));
        String[] lines = outcome.problems().getFirst().text().split("\n");
        assertThat(lines[1]).hasSize(8 + 100);
        assertThat(lines[1].charAt(lines[2].indexOf('^'))).isEqualTo('[');
    }
}
