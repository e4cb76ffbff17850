package io.headrace.runtime.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is killed is gone on with, and ends in the very index of a run that was not. */
class PrepareKillTest {

    private static final int SHARDS = 60;

    @TempDir Path folder;

    @Test
    void killedRunIsGoneOnWith() throws IOException, InterruptedException {
        for (int i = 0; i < SHARDS; i++) {
            Pictures.tar(folder.resolve("s-%03d.tar".formatted(i)), 40 * i, 40);
        }
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PrepareProcess.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader told =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < 5; i++) {
                assertThat(told.readLine()).isEqualTo("shard");
            }
            process.destroyForcibly().waitFor();
        }
        SourceReport report = run();
        assertThat(report.samples()).isEqualTo(40L * SHARDS);
        assertThat(report.shardsScanned()).isLessThanOrEqualTo(SHARDS - 5);
        byte[] resumed = Files.readAllBytes(report.index());
        try (Stream<Path> left = Files.list(folder.resolve("idx"))) {
            assertThat(left).containsExactly(report.index());
        }
        Files.delete(report.index());
        assertThat(run().shardsScanned()).isEqualTo(SHARDS);
        assertThat(Files.readAllBytes(report.index())).isEqualTo(resumed);
    }

    private SourceReport run() throws IOException, InterruptedException {
        return new Prepare(PrepareProcess.settings(folder), PrepareProgress.SILENT)
                .run(List.of(PrepareProcess.SOURCE))
                .getFirst();
    }
}
