package io.headrace.sources.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.RecordingSink;
import io.headrace.sources.formats.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderScannerTest {

    @TempDir Path folder;

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void mediaAndTheTextBesideThemAreSamples() throws IOException {
        write("a10.jpg", "p10");
        write("a10.txt", "t10");
        write("a9.JPG", "p9");
        write("a9.txt", "t9");
        write("sub.x/b.png", "pb");
        write("sub.x/b.txt", "");
        write(".DS_Store", "x");
        write("README", "x");
        write("only.jpg", "p");
        Files.createSymbolicLink(folder.resolve("gone.jpg"), folder.resolve("nowhere"));
        RecordingSink sink = new RecordingSink();
        new FolderScanner(folder, FieldSelection.ofImages(List.of("jpg;png"), "txt")).scan(sink);
        assertThat(sink.keys()).containsExactly("a9", "a10", "sub.x/b");
        assertThat(sink.samples().get(2).parts())
                .extracting(Part::location)
                .containsExactly(
                        new Location.File(0, "sub.x/b.png", 2),
                        new Location.File(0, "sub.x/b.txt", 0));
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactlyInAnyOrder(
                        tuple(Reason.IGNORED_NAME, ".DS_Store"),
                        tuple(Reason.IGNORED_NAME, "README"),
                        tuple(Reason.NOT_A_REGULAR_FILE, "gone.jpg"),
                        tuple(Reason.MISSING_FIELD, "only"));
    }
}
