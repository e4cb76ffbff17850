package io.headrace.app.cli;

import io.headrace.engine.recipe.read.RecipeDocs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code headrace recipe-docs}: the page of the recipe's keys. */
@Command(
        name = "recipe-docs",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Prints docs/recipe.md from the table of keys.")
final class RecipeDocsCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().print(RecipeDocs.markdown());
        spec.commandLine().getOut().flush();
    }
}
