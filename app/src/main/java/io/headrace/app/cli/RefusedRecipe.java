package io.headrace.app.cli;

import io.headrace.engine.recipe.schema.RecipeProblem;
import java.util.List;

/** A recipe with errors: its problems are printed, and the command ends as one that was used wrongly. */
final class RefusedRecipe extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<RecipeProblem> problems;

    RefusedRecipe(List<RecipeProblem> problems) {
        super("The recipe has errors");
        this.problems = List.copyOf(problems);
    }

    List<RecipeProblem> problems() {
        return problems;
    }
}
