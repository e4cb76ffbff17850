package io.headrace.app.cli;

import io.headrace.engine.recipe.schema.Nearest;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells in a few lines what is wrong with a command line: the message, what was probably meant, and where help is. */
final class WrongUse implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("headrace: " + wrong.getMessage());
        String meant = meant(wrong, command);
        if (!meant.isEmpty()) {
            err.println("  did you mean: " + meant + "?");
        }
        err.println("  see: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return ExitCode.USAGE;
    }

    private static String meant(ParameterException wrong, CommandLine command) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String written = unmatched.getUnmatched().getFirst();
        List<String> words =
                written.startsWith("-")
                        ? command.getCommandSpec().optionsMap().keySet().stream()
                                .filter(option -> option.startsWith("--"))
                                .toList()
                        : command.getSubcommands().keySet().stream().toList();
        return Nearest.of(written, words);
    }
}
