package io.headrace.app.recipe;

import io.headrace.engine.recipe.schema.RecipeProblem;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;

/** Prints the problems of a recipe, with colours where the terminal has them. */
public final class ProblemPrinter {
    private final PrintWriter out;
    private final boolean colours;

    public ProblemPrinter(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.colours = ansi.enabled();
    }

    public void print(List<RecipeProblem> problems) {
        for (RecipeProblem problem : problems) {
            out.println(colours ? coloured(problem) : problem.text());
        }
        out.flush();
    }

    /** One line that counts them, such as "2 errors, 1 warning". */
    public static String count(List<RecipeProblem> problems) {
        long errors = problems.stream().filter(RecipeProblem::isError).count();
        long warnings = problems.size() - errors;
        String first = errors == 0 ? "" : many(errors, "error");
        String second = warnings == 0 ? "" : many(warnings, "warning");
        return first + (errors > 0 && warnings > 0 ? ", " : "") + second;
    }

    private static String many(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }

    private static String coloured(RecipeProblem problem) {
        IStyle style = problem.isError() ? Style.fg_red : Style.fg_yellow;
        String word = ": " + problem.severity().word() + ": ";
        String marked = ": " + style.on() + problem.severity().word() + style.off() + ": ";
        String text = problem.text();
        int at = text.indexOf(word);
        return text.substring(0, at) + marked + text.substring(at + word.length());
    }
}
