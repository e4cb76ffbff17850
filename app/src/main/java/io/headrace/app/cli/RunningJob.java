package io.headrace.app.cli;

import io.headrace.runtime.deliver.SocketFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --job} and {@code --socket}, for every command that asks a running job: a picocli mixin. */
final class RunningJob {

    @Option(names = "--job", description = "The job. Default: the one that runs on this host.")
    private @Nullable String job;

    @Option(names = "--socket", description = "The job's socket, if it is not in the usual folder.")
    private @Nullable Path socket;

    /** Whether the user named a job. */
    boolean isNamed() {
        return job != null || socket != null;
    }

    /** The socket of the job that is named, else of the only one. */
    Path socket() throws IOException {
        List<Path> sockets = sockets();
        if (sockets.size() != 1) {
            throw new UserError(
                    sockets.isEmpty()
                            ? "no job runs on this host (looked in " + folder() + ")"
                            : "several jobs run on this host, name one with --job: "
                                    + names(sockets));
        }
        return sockets.getFirst();
    }

    /** That of the job that is named, else those of all jobs of this user on the host. */
    List<Path> sockets() throws IOException {
        Path given = socket;
        if (given != null) {
            return List.of(given);
        }
        String name = job;
        if (name != null) {
            return List.of(SocketFolder.socket(name));
        }
        if (!Files.isDirectory(folder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(f -> f.toString().endsWith(".sock"))
                    .filter(SocketFolder::isAlive)
                    .sorted()
                    .toList();
        }
    }

    private static Path folder() {
        return SocketFolder.socket("any").resolveSibling("");
    }

    private static String names(List<Path> sockets) {
        return String.join(
                ", ",
                sockets.stream()
                        .map(s -> s.getFileName().toString().replace(".sock", ""))
                        .toList());
    }
}
