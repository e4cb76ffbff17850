package io.headrace.app.recipe;

import io.headrace.engine.recipe.read.SourceCheck;
import io.headrace.sources.stores.PathPattern;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Expands the path patterns of a recipe, so that one that is wrong or finds nothing is a problem of the recipe. */
public final class DataCheck implements SourceCheck {
    @Override
    public Optional<String> problem(Path folder, String pattern) {
        try {
            PathPattern.expand(folder, pattern);
            return Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.of("not a path: " + e.getReason());
        } catch (IOException e) {
            return Optional.of("" + e.getMessage());
        }
    }
}
