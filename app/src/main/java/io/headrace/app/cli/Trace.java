package io.headrace.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.app.dashboard.EngineClient;
import io.headrace.app.dashboard.TraceEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code headrace trace}: the last steps of a running job as a file for Perfetto. */
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description =
                "Writes what decode threads and ranks did in the last steps of a running job, as a trace"
                        + " that Perfetto (ui.perfetto.dev) and chrome://tracing open.")
final class Trace implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Mixin private RunningJob job;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "trace.json",
            description = "Where to. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("trace.json");

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "32",
            description = "How many of the last steps, at most 256. Default: ${DEFAULT-VALUE}.")
    private int steps;

    @Override
    public Integer call() throws IOException {
        if (steps < 1) {
            throw new UserError("--steps " + steps + " is below 1");
        }
        JsonNode trace = new EngineClient(job.socket()).get("/v1/trace?steps=" + steps);
        JsonNode events = TraceEvents.of(trace);
        new ObjectMapper().writeValue(output.toFile(), events);
        spec.commandLine()
                .getOut()
                .println(
                        "%d decode spans and %d steps of ranks -> %s"
                                .formatted(
                                        trace.path("spans").size(),
                                        trace.path("ranks").size(),
                                        output));
        return ExitCode.OK;
    }
}
