package io.headrace.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.app.dashboard.EngineClient;
import io.headrace.app.dashboard.StatusTable;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code headrace top}: what a running job is doing, again and again. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Shows what a running job is doing: per rank steps, steps ready ahead and waits.")
final class Top implements Callable<Integer> {
    private static final String HOME_AND_CLEAR = "\033[H\033[J";

    @Spec private CommandSpec spec;

    @Mixin private RunningJob job;

    @Option(names = "--once", description = "One look, then end.")
    private boolean once;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two looks. Default: ${DEFAULT-VALUE}.")
    private double everySeconds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        EngineClient client = new EngineClient(job.socket());
        PrintWriter out = spec.commandLine().getOut();
        boolean screen = !once && hasTerminal();
        JsonNode before = null;
        while (true) {
            JsonNode now = client.get("/v1/status");
            if (screen) {
                out.print(HOME_AND_CLEAR);
            }
            StatusTable.lines(now, before, everySeconds).forEach(out::println);
            out.flush();
            if (once) {
                return ExitCode.OK;
            }
            before = now;
            Thread.sleep(Math.round(everySeconds * 1000));
        }
    }

    @SuppressWarnings("SystemConsoleNull") // null is still allowed, with another console provider
    private static boolean hasTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
