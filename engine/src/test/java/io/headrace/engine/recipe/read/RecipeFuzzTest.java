package io.headrace.engine.recipe.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import io.headrace.engine.recipe.schema.RecipeProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done to a recipe, the reader gives a recipe or problems that can be shown. */
class RecipeFuzzTest {
    private static final int ROUNDS = 6000;
    private static final String[] SCRAPS = {
        "[",
        "]",
        "{",
        "}",
        ": ",
        "- ",
        "&a ",
        "*a",
        "<<: *a",
        "!!int ",
        "!x ",
        "|",
        ">",
        "'",
        "\"",
        "\n",
        "\t",
        "#",
        "? ",
        "---\n",
        "%YAML 9.9\n",
        "~",
        "null",
        "-1",
        "1e999",
        ".nan",
        "0x10",
        "\u0000",
        "\uFEFF",
        "\"\\UFFFFFFFF\"",
        "\uD83D\uDE00",
        "9999999999999999999999",
        "web",
        "§"
    };

    @TempDir Path folder;

    @Test
    void mutatedRecipesGiveARecipeOrProblems() throws IOException {
        long seed = System.nanoTime();
        System.out.println("RecipeFuzzTest seed " + seed);
        Random random = new Random(seed);
        byte[] good = good();
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bad = mutate(good, random);
            Outcome outcome = read(bad);
            if (outcome instanceof Outcome.Refused(var problems)) {
                refused++;
                assertThat(problems)
                        .as("seed %d round %d", seed, round)
                        .isNotEmpty()
                        .allSatisfy(p -> assertThat(p.text()).contains(p.message()));
            }
        }
        assertThat(refused).isBetween(ROUNDS / 4, ROUNDS - 1);
    }

    @Test
    void aliasesCannotHoldTheReaderUp() {
        StringBuilder bomb = new StringBuilder("a0: &a0 {x: 1}\n");
        StringBuilder lists = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            String one = "*a" + (i - 1);
            bomb.append(String.format("a%d: &a%d {<<: [%s, %s, %s]}%n", i, i, one, one, one));
            lists.append(String.format("a%d: &a%d [%s, %s, %s]%n", i, i, one, one, one));
        }
        String merged = bomb + "sources: {<<: *a39}\n";
        assertThat(read(merged.getBytes(StandardCharsets.UTF_8)).problems())
                .extracting(RecipeProblem::message)
                .contains("more than 1000 merges by '<<'");
        assertThat(read((lists + "batch: *a39\n").getBytes(StandardCharsets.UTF_8)).problems())
                .isNotEmpty();
    }

    @Test
    void aliasesOfThemselvesEnd() {
        for (String yaml :
                new String[] {
                    "sources: &a {web: *a}\n",
                    "sources: &a {<<: *a}\n",
                    "mixture: {stages: &a [*a, {from: 0, weights: *a}]}\n",
                    "&a a: *a\n"
                }) {
            assertThat(read(yaml.getBytes(StandardCharsets.UTF_8)).problems()).isNotEmpty();
        }
    }

    @Test
    void hugeRecipesAreBounded() {
        StringBuilder names = new StringBuilder("sources:\n");
        StringBuilder stages = new StringBuilder("mixture:\n  stages:\n");
        for (int i = 0; i < 5000; i++) {
            names.append("  s").append(i).append(": {path: a.tar}\n");
            stages.append("    - {from: ").append(i).append(", weights: {}}\n");
        }
        assertThat(
                        read((names + "batch: {samples: 4}\n" + stages)
                                        .getBytes(StandardCharsets.UTF_8))
                                .problems())
                .extracting(RecipeProblem::message)
                .contains("5000 entries, more than 4096", "5000 stages, more than 1000");
        String digits = "seed: " + "1".repeat(1 << 20) + "\n";
        assertThat(read(digits.getBytes(StandardCharsets.UTF_8)).problems())
                .extracting(RecipeProblem::message)
                .anyMatch(message -> message.endsWith("...' is too long"));
        String list = "sources: {web: {path: [" + "a, ".repeat(100_001) + "a]}}\n";
        assertThat(read(list.getBytes(StandardCharsets.UTF_8)).problems())
                .extracting(RecipeProblem::message)
                .contains("100002 entries, more than 100000");
    }

    @Test
    void deepNestingIsRefused() {
        String deep = "sources: " + "[".repeat(5000) + "]".repeat(5000);
        assertThat(read(deep.getBytes(StandardCharsets.UTF_8)).problems())
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("Nesting Depth exceeded max 32"));
    }

    private Outcome read(byte[] yaml) {
        return new RecipeReader().read("recipe.yaml", yaml, folder);
    }

    private byte[] good() throws IOException {
        Files.writeString(folder.resolve("tok.json"), "{}");
        return """
        sources:
          web: &a {path: "web-{0..3}.tar", image: jpg, text: txt}
          docs: {path: [a.parquet, b.parquet], text: caption}
        mixture:
          unit: tokens
          stages:
            - {from: 0, weights: {web: 1, docs: 2}}
            - {from: 100, weights: {web: 3, docs: 0.5}, ramp: linear}
        order: {kind: shuffle, block: 32, window: 8}
        process: {model: qwen2_5_vl, tokenizer: tok.json, image: {max_pixels: 501760}}
        batch: {packs: 64, length: 8192, microbatches: 4}
        plan: {cost: {encoder: {patches: 2, patches^2: 0.5}}, balance: greedy}
        delivery: {wait_warning: 500ms}
        """
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] mutate(byte[] good, Random random) {
        byte[] bytes = good;
        for (int edit = random.nextInt(4); edit >= 0; edit--) {
            int at = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, at + random.nextInt(12));
            bytes =
                    switch (random.nextInt(4)) {
                        case 0 -> splice(bytes, at, to, new byte[0]);
                        case 1 -> splice(bytes, at, at, scrap(random));
                        case 2 -> splice(bytes, at, to, scrap(random));
                        default -> splice(bytes, at, at, new byte[] {(byte) random.nextInt(256)});
                    };
        }
        return bytes;
    }

    private static byte[] scrap(Random random) {
        return SCRAPS[random.nextInt(SCRAPS.length)].getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] put) {
        byte[] out = new byte[from + put.length + bytes.length - to];
        System.arraycopy(bytes, 0, out, 0, from);
        System.arraycopy(put, 0, out, from, put.length);
        System.arraycopy(bytes, to, out, from + put.length, bytes.length - to);
        return out;
    }
}
