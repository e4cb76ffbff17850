package io.headrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.read.RecipeDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class HeadraceTest {
    @TempDir Path folder;

    @Test
    void withoutACommandHelpIsPrinted() {
        CommandRun run = CommandRun.of();
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Usage: headrace").contains("lint");
    }

    @Test
    void helpNamesCommandsAndExitCodes() {
        CommandRun run = CommandRun.of("--help");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Usage: headrace")
                .contains("lint")
                .contains("2   the command line or the recipe is wrong")
                .doesNotContain("recipe-docs");
    }

    @Test
    void versionIsThatOfTheBuild() {
        CommandRun run = CommandRun.of("--version");
        assertThat(run.code()).isZero();
        assertThat(run.out()).matches("(?s)headrace \\d+\\.\\d+\\.\\d+\\S*\\RJava 2[5-9].*");
    }

    @Test
    void anUnknownCommandIsNamedWithTheNearest() {
        CommandRun run = CommandRun.of("lnit");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("'lnit'")
                .contains("did you mean: lint?")
                .contains("headrace --help");
    }

    @Test
    void theRecipePageIsPrinted() {
        assertThat(CommandRun.of("recipe-docs").out()).isEqualTo(RecipeDocs.markdown());
    }

    /** Throws what it is given. */
    @Command(name = "fail")
    private static final class Failing implements Callable<Integer> {
        private final Exception failure;

        Failing(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    private static CommandRun failing(Exception failure, String... args) {
        CommandLine command = Headrace.commandLine();
        command.addSubcommand(new Failing(failure));
        command.setExecutionExceptionHandler(command.getExecutionExceptionHandler());
        return CommandRun.of(command, args);
    }

    @Test
    void failuresAreOneLine() {
        CommandRun user = failing(new UserError("the index is from another recipe"), "fail");
        CommandRun file = failing(new NoSuchFileException("/data/x.tar"), "fail");

        assertThat(user)
                .isEqualTo(new CommandRun(1, "", "headrace: the index is from another recipe\n"));
        assertThat(file.err()).isEqualTo("headrace: no such file: /data/x.tar\n");
    }

    @Test
    void aMistakeOfTheProgramSaysHowToSeeMore() {
        CommandRun run = failing(new IllegalStateException("odd"), "fail");
        assertThat(run.code()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("odd").contains("--stacktrace").hasLineCount(1);
    }

    @Test
    void aStackTraceIsPrintedWhereItIsAskedFor() {
        CommandRun run = failing(new UserError("no"), "--stacktrace", "fail");
        assertThat(run.err()).startsWith("headrace: no\n").contains("\tat ");
    }

    /** Loads its recipe. */
    @Command(name = "load")
    static final class Loading implements Runnable {
        @Mixin private RecipeFile recipe;

        @Override
        public void run() {
            recipe.load();
        }
    }

    @Test
    void aRefusedRecipeEndsACommandAsWronglyUsed() throws IOException {
        Path recipe = Files.writeString(folder.resolve("r.yaml"), "sede: 1\n");
        CommandLine command = Headrace.commandLine().addSubcommand(new Loading());
        CommandRun run = CommandRun.of(command, "load", recipe.toString());

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("r.yaml:1:1: error: sede: unknown key")
                .endsWith("headrace: 4 errors\n");
    }
}
