package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Recipes as texts, read without data. */
final class Recipes {
    static final String SMALL =
            """
            sources: {web: {path: web.tar}}
            process: {model: clip}
            batch: {samples: 8}
            """;

    private Recipes() {}

    static Outcome read(Path folder, String yaml) {
        return new RecipeReader()
                .read("recipe.yaml", yaml.getBytes(StandardCharsets.UTF_8), folder);
    }

    static Recipe accepted(Path folder, String yaml) {
        return switch (read(folder, yaml)) {
            case Outcome.Accepted(Recipe recipe, _) -> recipe;
            case Outcome.Refused(var problems) -> throw new AssertionError(problems.toString());
        };
    }
}
