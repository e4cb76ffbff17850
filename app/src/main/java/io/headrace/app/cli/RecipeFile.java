package io.headrace.app.cli;

import io.headrace.app.recipe.DataCheck;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.read.RecipeReader;
import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The argument RECIPE and the option --ranks, for every command that takes a recipe: a picocli mixin. */
final class RecipeFile {
    static final String RANKS = "--ranks";
    static final String RANKS_MEANING =
            "Data-parallel ranks, in the place of the recipe's topology.dp.";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "RECIPE", description = "The recipe, a YAML file.")
    private Path file;

    @Option(names = RANKS, paramLabel = "N", description = RANKS_MEANING)
    private @Nullable Integer ranks;

    Path file() {
        return file;
    }

    /** Reads the recipe and looks at its data. */
    Outcome read() {
        return read(spec, file, ranks);
    }

    private static Outcome read(CommandSpec spec, Path file, @Nullable Integer ranks) {
        if (ranks != null && ranks < 1) {
            throw new ParameterException(
                    spec.commandLine(), RANKS + " " + ranks + ": at least 1 is needed");
        }
        return new RecipeReader(new DataCheck(), ranks == null ? 0 : ranks).read(file);
    }

    /**
     * The resolved recipe; its warnings go to standard error.
     *
     * @throws RefusedRecipe where it has errors, to be left to the launcher
     */
    Recipe load() {
        return load(spec, file, ranks);
    }

    /**
     * The same for a command whose argument may be something else than a recipe.
     *
     * @param ranks of the option {@link #RANKS}; null where it is not given
     */
    static Recipe load(CommandSpec spec, Path file, @Nullable Integer ranks) {
        return switch (read(spec, file, ranks)) {
            case Outcome.Accepted(Recipe recipe, var warnings) -> {
                Headrace.problems(spec.commandLine()).print(warnings);
                yield recipe;
            }
            case Outcome.Refused(var problems) -> throw new RefusedRecipe(problems);
        };
    }
}
