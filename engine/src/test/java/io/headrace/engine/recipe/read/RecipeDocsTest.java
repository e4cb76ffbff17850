package io.headrace.engine.recipe.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page and the examples agree with the table of keys. */
class RecipeDocsTest {
    private static final Path ROOT = Path.of(System.getProperty("headrace.root", ".."));

    @TempDir Path folder;

    @Test
    void thePageIsWhatTheTableSays() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/recipe.md")))
                .as("run: ./headrace recipe-docs > docs/recipe.md")
                .isEqualTo(RecipeDocs.markdown());
    }

    @Test
    void everyExampleIsAValidRecipe() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("data/clip_tokenizer.json"), "{}");
        Files.writeString(folder.resolve("data/qwen_tokenizer.json"), "{}");
        try (Stream<Path> listed = Files.list(ROOT.resolve("examples"))) {
            List<Path> examples = listed.filter(p -> p.toString().endsWith(".yaml")).toList();
            assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
            for (Path example : examples) {
                byte[] yaml = Files.readAllBytes(example);
                assertThat(new RecipeReader().read(example.toString(), yaml, folder).problems())
                        .as(example.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void theExampleOfThePageIsValid() throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), "{}");
        String page = RecipeDocs.markdown();
        int from = page.indexOf("```yaml\n") + 8;
        String yaml = page.substring(from, page.indexOf("```", from));
        assertThat(Recipes.read(folder, yaml).problems()).isEmpty();
    }
}
