package io.headrace.app.cli;

import io.headrace.app.recipe.ProblemPrinter;
import io.headrace.app.recipe.RecipeSummary;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.read.RecipeReader.Outcome;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code headrace lint}: all that is wrong with a recipe, or what it comes to. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Checks a recipe and its data. Names every problem with its line and column, the nearest"
                        + " right key and what is allowed; or says what the recipe comes to.")
final class Lint implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private RecipeFile recipeFile;

    @Option(names = "--strict", description = "Take warnings as errors.")
    private boolean strict;

    @Override
    public Integer call() {
        Outcome outcome = recipeFile.read();
        PrintWriter out = spec.commandLine().getOut();
        new ProblemPrinter(out, spec.commandLine().getColorScheme().ansi())
                .print(outcome.problems());
        int code =
                switch (outcome) {
                    case Outcome.Accepted(Recipe recipe, var warnings) -> {
                        String note =
                                warnings.isEmpty() ? "" : ", " + ProblemPrinter.count(warnings);
                        out.println("ok: " + recipeFile.file() + note);
                        new RecipeSummary(recipe).lines().forEach(line -> out.println("  " + line));
                        yield strict && !warnings.isEmpty() ? ExitCode.USAGE : ExitCode.OK;
                    }
                    case Outcome.Refused(var problems) -> {
                        out.println(recipeFile.file() + ": " + ProblemPrinter.count(problems));
                        yield ExitCode.USAGE;
                    }
                };
        out.flush();
        return code;
    }
}
