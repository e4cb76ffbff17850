package io.headrace.runtime.construct;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that lists every planned sample that was not delivered: JSON lines with source, shard, member, offset, reason, step and
 * rank. Lines are flushed one by one, so a kill loses at most the line being written. A step that is made again, as after a kill, adds
 * no second line. Thread-safe.
 */
public final class Ledger implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Steps are made again only from the last checkpoint on: more than are masked in between. */
    private static final int MOST_REMEMBERED = 1 << 16;

    private final Path file;
    private final BufferedWriter writer;
    private final Set<Listed> listed;
    private long lines;

    /** What tells a line from another: the sample's place in the data, and the step. The rank may be another after a resume. */
    private record Listed(String source, String shard, String member, long offset, long step) {}

    /** Opens the file at its end; its folder is made if there is none. */
    public Ledger(Path file) throws IOException {
        this.file = file;
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        this.listed = lately(file);
        endBrokenLine(file);
        this.writer =
                Files.newBufferedWriter(
                        file,
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
    }

    /** The last lines of the file; one that was cut off by a kill counts as missing. */
    private static Set<Listed> lately(Path file) throws IOException {
        Set<Listed> found = newBounded();
        if (!Files.exists(file)) {
            return found;
        }
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : (Iterable<String>) lines::iterator) {
                try {
                    JsonNode json = JSON.readTree(line);
                    found.add(
                            new Listed(
                                    json.path("source").asText(),
                                    json.path("shard").asText(),
                                    json.path("member").asText(),
                                    json.path("offset").asLong(),
                                    json.path("step").asLong()));
                } catch (JsonProcessingException cut) {
                    LOG.debug("a line of {} was cut off", file, cut);
                }
            }
        }
        return found;
    }

    private static Set<Listed> newBounded() {
        return Collections.newSetFromMap(
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Listed, Boolean> eldest) {
                        return size() > MOST_REMEMBERED;
                    }
                });
    }

    /** Cuts off what a kill left of a line, so that the next one stands alone. */
    private static void endBrokenLine(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long end = bytes.length();
            while (end > 0) {
                bytes.seek(end - 1);
                if (bytes.read() == '\n') {
                    break;
                }
                end--;
            }
            bytes.setLength(end);
        }
    }

    /** Where a sample stands in the data and in the plan. */
    public record Place(
            String source, String shard, String member, long offsetBytes, long step, int rank) {}

    /** Adds a line, unless the sample is listed for the step already. */
    public synchronized void add(Place place, BadPayload.Reason reason, String detail) {
        if (!listed.add(
                new Listed(
                        place.source(),
                        place.shard(),
                        place.member(),
                        place.offsetBytes(),
                        place.step()))) {
            return;
        }
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
