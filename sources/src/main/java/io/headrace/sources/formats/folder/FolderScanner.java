package io.headrace.sources.formats.folder;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.FilePayload;
import io.headrace.sources.formats.MemberName;
import io.headrace.sources.formats.SampleGrouping;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.stores.NaturalOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Scans a folder and those below it: files with the same path up to the first dot of their names are one sample. Files are taken in
 * natural order; links to files count as files, links to folders are not followed.
 */
public final class FolderScanner implements ShardScanner {

    private final Path folder;
    private final FieldSelection fields;

    public FolderScanner(Path folder, FieldSelection fields) {
        this.folder = folder;
        this.fields = fields;
    }

    @Override
    public long scan(SampleSink sink) throws IOException {
        SampleGrouping samples = new SampleGrouping(fields, sink);
        long total = 0;
        for (String name : names()) {
            Path file = folder.resolve(name);
            if (MemberName.isClutter(name)) {
                sink.skip(new Skip(Reason.IGNORED_NAME, name, -1, "no data"));
            } else if (!Files.isRegularFile(file)) {
                sink.skip(new Skip(Reason.NOT_A_REGULAR_FILE, name, -1, "no file"));
            } else {
                total += add(samples, name, file);
                sink.progress(total);
            }
        }
        samples.finish();
        return total;
    }

    private static long add(SampleGrouping samples, String name, Path file) throws IOException {
        try (FilePayload payload = FilePayload.open(file)) {
            long bytes = payload.lengthBytes();
            samples.add(name, new Location.File(0, name, bytes), -1, payload);
            return bytes;
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(p -> !Files.isDirectory(p))
                    .map(p -> folder.relativize(p).toString())
                    .sorted(NaturalOrder.INSTANCE)
                    .toList();
        } catch (UncheckedIOException e) {
            throw new BadShard(folder, Reason.CORRUPT, String.valueOf(e.getMessage()), e);
        }
    }
}
