package io.headrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LintTest {
    @TempDir Path folder;

    @BeforeEach
    void data() throws IOException {
        Files.writeString(folder.resolve("web-0.tar"), "");
        Files.writeString(folder.resolve("tok.json"), "{}");
    }

    private CommandRun lint(String yaml, String... more) throws IOException {
        Path recipe = Files.writeString(folder.resolve("r.yaml"), yaml);
        String[] args = new String[more.length + 2];
        args[0] = "lint";
        args[1] = recipe.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        return CommandRun.of(args);
    }

    private static final String GOOD =
            """
            seed: 17
            sources: {web: {path: web-0.tar}}
            process: {model: clip}
            batch: {samples: 64, microbatches: 2}
            topology: {dp: 4}
            """;

    @Test
    void aSoundRecipeIsSummedUp() throws IOException {
        CommandRun run = lint(GOOD);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("ok: " + folder.resolve("r.yaml") + "\n")
                .contains("  sources  web: not indexed, weight 1 in samples, web-0.tar\n")
                .contains("  model    clip, 224 x 224, float32, exact\n")
                .contains("64 samples a step = 4 ranks x 2 microbatches x 8 rows\n")
                .contains("seed 17, no end, repeat, last batch drop\n");
    }

    @Test
    void dataThatIsNotThereHasItsPlace() throws IOException {
        assertThat(lint(GOOD.replace("web-0.tar", "'web-{0..1}.tar'")).out())
                .contains("r.yaml:2:23: error: sources.web.path: ")
                .contains("web-1.tar");
        assertThat(lint(GOOD.replace("web-0.tar", "'web-{182..01199}.tar'")).out())
                .contains("{182..01199}");
        assertThat(lint(GOOD.replace("web-0.tar", "'*.parquet'")).out())
                .contains("nothing matches")
                .endsWith("r.yaml: 1 error\n");
    }

    @Test
    void anIndexThatCannotBeReadIsNamed() throws IOException {
        Files.createDirectory(folder.resolve(".headrace"));
        Files.writeString(folder.resolve(".headrace/web.safetensors"), "no index");
        assertThat(lint(GOOD).out()).contains("web: an index that cannot be read (");
    }

    @Test
    void theOptionRanksCounts() throws IOException {
        assertThat(lint(GOOD, "--ranks", "2").out()).contains("2 ranks x 2 microbatches x 16 rows");
        assertThat(lint(GOOD, "--ranks", "3").code()).isEqualTo(ExitCode.USAGE);
        assertThat(lint(GOOD, "--ranks", "-1").err()).contains("--ranks -1: at least 1");
    }

    @Test
    void everyProblemIsPrinted() throws IOException {
        CommandRun run = lint(GOOD.replace("seed", "sede").replace("64", "60"));
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out())
                .contains("r.yaml:1:1: error: sede: unknown key")
                .contains("r.yaml:4:18: error: batch.samples: 60 samples do not divide")
                .contains("did you mean: 56 or 64?")
                .endsWith("r.yaml: 2 errors\n");
    }

    @Test
    void warningsRefuseOnlyWhereStrict() throws IOException {
        String warned = GOOD.replace("path: web-0.tar", "path: web-0.tar, text: txt");
        assertThat(lint(warned).code()).isZero();
        assertThat(lint(warned).out())
                .contains("warning: sources.web.text")
                .contains(", 1 warning");
        assertThat(lint(warned, "--strict").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aMissingRecipeIsOneLine() {
        CommandRun run = CommandRun.of("lint", folder.resolve("none.yaml").toString());
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).contains("none.yaml: error: no such file");
    }
}
