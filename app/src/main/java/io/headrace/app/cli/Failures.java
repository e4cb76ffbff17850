package io.headrace.app.cli;

import io.headrace.app.recipe.ProblemPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns what a command throws into a line on standard error and an exit code; a stack trace only where it was asked for. */
final class Failures implements IExecutionExceptionHandler {
    private final Headrace headrace;

    Failures(Headrace headrace) {
        this.headrace = headrace;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult args) {
        PrintWriter err = command.getErr();
        if (failure instanceof RefusedRecipe refused) {
            Headrace.problems(command).print(refused.problems());
            err.println("headrace: " + ProblemPrinter.count(refused.problems()));
            return ExitCode.USAGE;
        }
        err.println("headrace: " + message(failure));
        if (headrace.stacktrace()) {
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitCode.FAILED;
    }

    private static String message(Exception failure) {
        return switch (failure) {
            case UserError user -> "" + user.getMessage();
            case UncheckedIOException io -> file(Objects.requireNonNull(io.getCause()));
            case IOException io -> file(io);
            default ->
                    "this should not have happened: "
                            + failure
                            + " (run again with --stacktrace to see where)";
        };
    }

    private static String file(IOException failure) {
        return switch (failure) {
            case NoSuchFileException f -> "no such file: " + f.getFile();
            case AccessDeniedException f -> "no permission: " + f.getFile();
            case FileSystemException f -> f.getFile() + ": " + f.getReason();
            default -> "" + failure.getMessage();
        };
    }
}
