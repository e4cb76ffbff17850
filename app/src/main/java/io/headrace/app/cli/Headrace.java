package io.headrace.app.cli;

import io.headrace.app.recipe.ProblemPrinter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The launcher's command line. A command is a class of its own, named in the list below. */
@Command(
        name = "headrace",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        header = "Feeds the ranks of a multimodal training job.",
        description =
                "%nReads tars, Parquet, JSONL and folders where they lie, plans every step from metadata,"
                        + " decodes and preprocesses on the host's CPUs, and has each rank's batch in shared"
                        + " memory before it is asked for.%n",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:the command failed",
            "2:the command line or the recipe is wrong, nothing was started"
        },
        footer = "%nThe keys of a recipe are described in docs/recipe.md.",
        subcommands = {
            Run.class,
            Explain.class,
            Top.class,
            Trace.class,
            Simulate.class,
            WarmUp.class,
            Lint.class,
            PrepareCommand.class,
            RecipeDocsCommand.class,
            HelpCommand.class,
        })
public final class Headrace implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of a failure.")
    private boolean stacktrace;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        Headrace headrace = new Headrace();
        CommandLine command = new CommandLine(headrace);
        command.setExecutionExceptionHandler(new Failures(headrace));
        command.setParameterExceptionHandler(new WrongUse());
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }

    /** Without a command there is nothing to do but to help. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    boolean stacktrace() {
        return stacktrace;
    }

    /** A printer of problems on a command's standard error. */
    static ProblemPrinter problems(CommandLine command) {
        PrintWriter err = command.getErr();
        Ansi ansi = command.getColorScheme().ansi();
        return new ProblemPrinter(err, ansi);
    }
}
