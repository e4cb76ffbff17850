package io.headrace.engine.recipe.read;

import java.nio.file.Path;
import java.util.Optional;

/** Looks at the data of a source while its recipe is read, so that a pattern that finds nothing has a line and column. */
@FunctionalInterface
public interface SourceCheck {

    /** Looks at nothing. */
    SourceCheck NONE = (_, _) -> Optional.empty();

    /**
     * What is wrong with a path pattern.
     *
     * @param folder where relative patterns start from
     * @param pattern as written, with braces and globs
     */
    Optional<String> problem(Path folder, String pattern);
}
