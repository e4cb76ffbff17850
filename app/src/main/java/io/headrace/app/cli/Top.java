package io.headrace.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.app.dashboard.EngineClient;
import io.headrace.app.dashboard.StatusTable;
import io.headrace.runtime.deliver.SocketFolder;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(names = "--job", description = "The job. Default: the only one that runs on this host.")
    private @Nullable String job;

    @Option(names = "--socket", description = "The job's socket, if it is not in the usual folder.")
    private @Nullable Path socket;

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
        EngineClient client = new EngineClient(socket());
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

    private Path socket() throws IOException {
        Path given = socket;
        if (given != null) {
            return given;
        }
        String name = job;
        if (name != null) {
            return SocketFolder.socket(name);
        }
        Path folder = SocketFolder.socket("any").getParent();
        List<Path> running =
                folder == null || !Files.isDirectory(folder) ? List.of() : sockets(folder);
        if (running.size() != 1) {
            throw new UserError(
                    running.isEmpty()
                            ? "no job runs on this host (looked in " + folder + ")"
                            : "several jobs run on this host, name one with --job: "
                                    + names(running));
        }
        return running.getFirst();
    }

    private static List<Path> sockets(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".sock")).sorted().toList();
        }
    }

    private static String names(List<Path> sockets) {
        return String.join(
                ", ",
                sockets.stream()
                        .map(s -> s.getFileName().toString().replace(".sock", ""))
                        .toList());
    }
}
