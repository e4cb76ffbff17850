package io.headrace.app.cli;

import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.runtime.prepare.Prepare;
import io.headrace.runtime.prepare.PrepareSettings;
import io.headrace.runtime.prepare.ProgressLine;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headrace prepare}: writes the indexes of a recipe's sources, or of paths as one source. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        header = "Index tars, Parquet, JSONL and folders where they lie.",
        description =
                "%nReads headers only and writes one index a source; payloads are never rewritten. Run again, it"
                        + " goes on where it ended, and scans only shards that have changed.%n")
final class PrepareCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "RECIPE | PATH",
            description =
                    "A recipe (.yaml), or files, folders and patterns such as 's-{000..127}.tar'.")
    private List<String> arguments;

    @Option(
            names = "--image",
            split = ",",
            paramLabel = "FIELD",
            description = "With PATH: fields of pictures; all that are found by default.")
    private List<String> images = List.of();

    @Option(
            names = "--video",
            split = ",",
            paramLabel = "FIELD",
            description = "With PATH: fields of videos; none by default.")
    private List<String> videos = List.of();

    @Option(
            names = "--audio",
            split = ",",
            paramLabel = "FIELD",
            description = "With PATH: fields of audio; none by default.")
    private List<String> audios = List.of();

    @Option(
            names = "--text",
            defaultValue = "",
            paramLabel = "FIELD",
            description = "With PATH: the field of the text; none by default.")
    private String text = "";

    @Option(
            names = "--name",
            defaultValue = "source",
            paramLabel = "NAME",
            description = "With PATH: name of the source and of its index.")
    private String name = "source";

    @Option(
            names = "--index",
            defaultValue = ".headrace",
            paramLabel = "FOLDER",
            description = "With PATH: where the index is written; ${DEFAULT-VALUE} by default.")
    private Path indexFolder = Path.of(".headrace");

    @Option(
            names = RecipeFile.RANKS,
            paramLabel = "N",
            description = "With RECIPE: " + RecipeFile.RANKS_MEANING)
    private @Nullable Integer ranks;

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = System.out;
        ProgressLine progress = new ProgressLine(out, onTerminal(), System::nanoTime);
        try {
            if (isRecipe()) {
                Recipe recipe = RecipeFile.load(spec, Path.of(arguments.getFirst()), ranks);
                new Prepare(PrepareSettings.of(recipe), progress).run(recipe.usedSources());
            } else {
                SourceSpec source = new SourceSpec(name, arguments, images, videos, audios, text);
                PrepareSettings settings =
                        new PrepareSettings(
                                Path.of(""),
                                indexFolder,
                                null,
                                ErrorSpec.Policy.MASK,
                                PrepareSettings.Limits.ofThisMachine());
                new Prepare(settings, progress).run(List.of(source));
            }
            return ExitCode.OK;
        } catch (IOException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // still null under -Djdk.console=java.base
    private static boolean onTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private boolean isRecipe() {
        String first = arguments.getFirst().toLowerCase(Locale.ROOT);
        return arguments.size() == 1 && (first.endsWith(".yaml") || first.endsWith(".yml"));
    }
}
