package io.headrace.engine.recipe.schema;

import io.headrace.engine.recipe.schema.RecipeProblem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The problems of one recipe as they are found; at most {@link #LIMIT}, as nobody reads more. One thread. */
public final class Problems {
    static final int LIMIT = 200;

    private final List<RecipeProblem> found = new ArrayList<>();
    private int errors;

    public void error(Place place, String path, String message) {
        error(place, path, message, "", "");
    }

    public void error(Place place, String path, String message, String nearest, String allowed) {
        errors++;
        add(new RecipeProblem(Severity.ERROR, place, path, message, nearest, allowed));
    }

    public void warning(Place place, String path, String message) {
        add(new RecipeProblem(Severity.WARNING, place, path, message, "", ""));
    }

    private void add(RecipeProblem problem) {
        if (!isFull()) {
            found.add(problem);
        }
    }

    /** Whether a further problem would not be kept. */
    public boolean isFull() {
        return found.size() >= LIMIT;
    }

    public boolean hasErrors() {
        return errors > 0;
    }

    /** In the order of the file. */
    public List<RecipeProblem> sorted() {
        Comparator<RecipeProblem> byPlace =
                Comparator.<RecipeProblem>comparingInt(p -> p.place().line())
                        .thenComparingInt(p -> p.place().column());
        return found.stream().sorted(byPlace).toList();
    }
}
