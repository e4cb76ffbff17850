package io.headrace.app.cli;

import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.read.RecipeReader;
import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The argument RECIPE and the option --ranks, for every command that takes a recipe: a picocli mixin. */
final class RecipeFile {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "RECIPE", description = "The recipe, a YAML file.")
    private Path file;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Data-parallel ranks, in the place of the recipe's topology.dp.")
    private int ranks;

    Path file() {
        return file;
    }

    /** Reads the recipe and looks at its data. */
    Outcome read() {
        if (ranks < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--ranks " + ranks + ": at least 1 is needed");
        }
        return new RecipeReader(new DataCheck(), ranks).read(file);
    }

    /**
     * The resolved recipe; its warnings go to standard error.
     *
     * @throws RefusedRecipe where it has errors, to be left to the launcher
     */
    Recipe load() {
        return switch (read()) {
            case Outcome.Accepted(Recipe recipe, var warnings) -> {
                Headrace.problems(spec.commandLine()).print(warnings);
                yield recipe;
            }
            case Outcome.Refused(var problems) -> throw new RefusedRecipe(problems);
        };
    }
}
