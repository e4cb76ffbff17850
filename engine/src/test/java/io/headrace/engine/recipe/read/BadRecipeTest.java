package io.headrace.engine.recipe.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.schema.RecipeProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recipes with one mistake each, from {@code recipes/bad.txt}. A case changes the good recipe ({@code -} is replaced by
 * {@code +}, which is appended where nothing is to be replaced) or is a whole one ({@code |}). The sign § stands where the
 * message must point to and is taken out before reading. Then follow the path, the message and the nearest right word.
 */
class BadRecipeTest {
    @TempDir Path folder;

    private static final String GOOD =
            """
            seed: 17
            sources:
              web: {path: web.tar, image: jpg}
              docs: {path: docs.parquet}
            mixture:
              weights: {web: 6, docs: 3}
            process:
              model: qwen2_5_vl
              tokenizer: tok.json
              image: {max_pixels: 501760}
            batch: {packs: 16, length: 4096, microbatches: 2}
            topology: {dp: 4}
            """;

    /** One mistake. */
    record Case(String name, String yaml, String path, String message, String nearest) {
        int line() {
            return (int) before().chars().filter(c -> c == '\n').count() + 1;
        }

        int column() {
            return before().length() - before().lastIndexOf('\n');
        }

        private String before() {
            assertThat(yaml.chars().filter(c -> c == '§').count()).as(name).isEqualTo(1);
            return yaml.substring(0, yaml.indexOf('§'));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() throws IOException {
        try (InputStream in = BadRecipeTest.class.getResourceAsStream("/recipes/bad.txt")) {
            assertThat(in).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^--- ")).skip(1).map(BadRecipeTest::parse).toList();
        }
    }

    private static Case parse(String block) {
        List<String> lines = block.lines().toList();
        String old = marked(lines, "- ");
        String now = marked(lines, "+ ");
        String yaml = marked(lines, "| ");
        if (yaml.isEmpty()) {
            assertThat(GOOD).as(block).contains(old);
            yaml = old.isEmpty() ? GOOD + now : GOOD.replace(old, now);
        }
        if (yaml.endsWith("\n§\n")) {
            yaml = yaml.substring(0, yaml.length() - 1); // the end of the file
        }
        String[] wanted = marked(lines, "= ").strip().split(" ?\\| ?", -1);
        return new Case(lines.getFirst(), yaml, wanted[0], wanted[1], wanted[2]);
    }

    private static String marked(List<String> lines, String mark) {
        List<String> found = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(mark)) {
                found.add(line.substring(mark.length()) + "\n");
            }
        }
        return String.join("", found);
    }

    @BeforeEach
    void tokenizer() throws IOException {
        Files.writeString(folder.resolve("tok.json"), "{}");
    }

    @Test
    void theGoodRecipeIsGood() {
        assertThat(Recipes.accepted(folder, GOOD).seed()).isEqualTo(17);
    }

    @Test
    void thereAreManyCases() throws IOException {
        assertThat(cases()).hasSizeGreaterThan(60);
        assertThat(cases()).extracting(Case::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isNamedWithItsPlaceAndTheNearestRightWord(Case bad) {
        List<RecipeProblem> problems = Recipes.read(folder, bad.yaml().replace("§", "")).problems();

        assertThat(problems)
                .as(() -> String.join("\n", problems.stream().map(RecipeProblem::text).toList()))
                .singleElement()
                .satisfies(
                        p -> {
                            assertThat(p.path()).isEqualTo(bad.path());
                            assertThat(p.message().replace(folder.toString(), "FOLDER"))
                                    .isEqualTo(bad.message());
                            assertThat(p.nearest().replace(folder.toString(), "FOLDER"))
                                    .isEqualTo(bad.nearest());
                            assertThat(p.place().line()).isEqualTo(bad.line());
                            assertThat(p.place().column()).isEqualTo(bad.column());
                        });
    }

    @Test
    void allProblemsAreNamedInTheOrderOfTheFile() {
        String yaml =
                GOOD.replace("seed: 17", "seed: x")
                        .replace("web: 6", "wbe: 6")
                        .replace("packs: 16", "packs: 15")
                        .replace("tok.json", "tik.json");
        assertThat(Recipes.read(folder, yaml).problems())
                .extracting(RecipeProblem::path)
                .containsExactly(
                        "seed",
                        "mixture.weights",
                        "mixture.weights.wbe",
                        "process.tokenizer",
                        "batch.packs");
    }
}
