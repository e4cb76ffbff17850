package io.headrace.runtime.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What engines leave of their folders, and what they never touch. */
class JobFolderTest {

    @TempDir Path temporary;
    private Path parent;

    @BeforeEach
    void makeParent() throws IOException {
        parent = Files.createDirectories(temporary.resolve("jobs"));
    }

    private JobFolder open(String job) throws IOException {
        return JobFolder.open(parent.resolve(job), () -> true);
    }

    private Path dead(String job, String ledger) throws IOException {
        Path folder = Files.createDirectories(parent.resolve(job));
        Files.writeString(folder.resolve("owner"), "");
        Files.writeString(folder.resolve("planner.mv.db"), "x");
        Files.writeString(folder.resolve("ledger.jsonl"), ledger);
        return folder;
    }

    @Test
    void nothingIsLeftOfAJobWithoutBadSamples() throws IOException {
        JobFolder job = open("a");
        Files.writeString(Path.of(job.journal() + ".mv.db"), "x");
        Files.writeString(job.ledger(), "");
        job.close();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void aLedgerWithLinesStays() throws IOException {
        JobFolder job = open("a");
        Files.writeString(job.ledger(), "{}\n");
        job.close();
        assertThat(parent.resolve("a")).isDirectoryContaining("glob:**/ledger.jsonl");
        assertThat(parent.resolve("a").resolve("owner")).doesNotExist();
    }

    @Test
    void whatAKilledEngineLeftIsRemovedAndOtherFilesAreNot() throws IOException {
        Path dead = dead("dead", "");
        Path listed = dead("listed", "{}\n");
        Path foreign = Files.createDirectories(parent.resolve("foreign"));
        Files.writeString(foreign.resolve("ledger.jsonl"), "");
        Files.writeString(listed.resolve("notes"), "mine");
        JobFolder job = open("a");
        assertThat(dead).doesNotExist();
        assertThat(listed.resolve("ledger.jsonl")).hasContent("{}");
        assertThat(listed.resolve("notes")).hasContent("mine");
        assertThat(listed.resolve("planner.mv.db")).doesNotExist();
        assertThat(foreign.resolve("ledger.jsonl")).exists();
        job.close();
    }
}
