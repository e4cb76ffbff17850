package io.headrace.runtime.construct;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The file that lists every planned sample that was not delivered: JSON lines with source, shard, member, offset, reason, step and
 * rank. Lines are flushed one by one, so a kill loses at most the line being written. Thread-safe.
 */
public final class Ledger implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final BufferedWriter writer;
    private long lines;

    /** Opens the file at its end; its folder is made if there is none. */
    public Ledger(Path file) throws IOException {
        this.file = file;
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        this.writer =
                Files.newBufferedWriter(
                        file,
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
    }

    /** Where a sample stands in the data and in the plan. */
    public record Place(
            String source, String shard, String member, long offsetBytes, long step, int rank) {}

    /** Adds a line. */
    public synchronized void add(Place place, BadPayload.Reason reason, String detail) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("source", place.source());
        line.put("shard", place.shard());
        line.put("member", place.member());
        line.put("offset", place.offsetBytes());
        line.put("reason", reason.name());
        line.put("detail", detail);
        line.put("step", place.step());
        line.put("rank", place.rank());
        try {
            writer.write(JSON.writeValueAsString(line));
            writer.newLine();
            writer.flush();
            lines++;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the ledger " + file, e);
        }
    }

    /** Lines written since it was opened. */
    public synchronized long lines() {
        return lines;
    }

    public Path file() {
        return file;
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
