package io.headrace.sources.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.RecordingSink;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The columns of the files of apache/parquet-testing, read as text, against what DuckDB reads. */
class ParquetValuesTest {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

    /** Types that are no text, or that JSON writes in another way. */
    private static final List<String> NOT_COMPARED =
            List.of("TIMESTAMP", "DATE", "DECIMAL", "GEOMETRY", "TIME", "UUID", "INTERVAL");

    /**
     * One value of 2 GiB; a damaged dictionary; a legacy list of strings that the reader does not know; codecs and
     * encodings that DuckDB lacks.
     */
    private static final Set<String> NOT_READ =
            Set.of(
                    "large_string_map.brotli.parquet",
                    "nation.dict-malformed.parquet",
                    "repeated_primitive_no_list.parquet",
                    "map_no_value.parquet",
                    "byte_stream_split_extended.gzip.parquet",
                    "hadoop_lz4_compressed_larger.parquet",
                    "non_hadoop_lz4_compressed.parquet",
                    "rle-dict-uncompressed-corrupt-checksum.parquet");

    /** Columns of bytes that DuckDB takes for half-precision numbers are not compared. */
    private static final Set<String> NUMBERS = Set.of("FLOAT");

    private static ExecutorService executor;
    private static ParquetGuard guard;

    static Path resource(String name) {
        try {
            return Path.of(
                    Objects.requireNonNull(
                                    ParquetValuesTest.class.getResource(
                                            "/io/headrace/sources/" + name))
                            .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    static void open() {
        executor = Executors.newVirtualThreadPerTaskExecutor();
        guard = new ParquetGuard(executor, 2, Duration.ofSeconds(60));
    }

    @AfterAll
    static void close() {
        guard.close();
        executor.shutdownNow();
    }

    static Stream<String> files() throws IOException {
        return names("parquet").filter(name -> !NOT_READ.contains(name));
    }

    static Stream<String> badFiles() throws IOException {
        return names("parquet_bad").filter(name -> !name.equals("ARROW-GH-43605.parquet"));
    }

    private static Stream<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(resource(folder))) {
            return files
                    .map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".parquet"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static RecordingSink scan(Path file, String column) throws IOException {
        RecordingSink sink = new RecordingSink();
        FieldSelection fields = new FieldSelection(List.of(), List.of(), List.of(column));
        new ParquetScanner(file, fields, guard).scan(sink);
        return sink;
    }

    @ParameterizedTest
    @MethodSource("files")
    void valuesAreThoseOfDuckDb(String name) throws IOException, SQLException {
        Path file = resource("parquet/" + name);
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            for (Map.Entry<String, String> column : columns(statement, file).entrySet()) {
                boolean compared =
                        NOT_COMPARED.stream().noneMatch(t -> column.getValue().contains(t));
                if (compared) {
                    RecordingSink sink = scan(file, column.getKey());
                    boolean hex = isText(sink);
                    if (hex && NUMBERS.contains(column.getValue())) {
                        continue;
                    }
                    Map<Long, String> ours = ours(sink, hex);
                    Map<Long, String> theirs = duck(statement, file, column.getKey(), hex);
                    if (hex) {
                        assertThat(ours).as("%s of %s", column, name).isEqualTo(theirs);
                    } else {
                        compare(name, column.getKey(), ours, theirs);
                    }
                }
            }
        }
    }

    private static Map<String, String> columns(Statement statement, Path file) throws SQLException {
        Map<String, String> columns = new LinkedHashMap<>();
        try (ResultSet described =
                statement.executeQuery("describe select * from '%s'".formatted(file))) {
            while (described.next()) {
                String column = described.getString(1);
                if (!column.contains(".")) {
                    columns.put(column, described.getString(2));
                }
            }
        }
        return columns;
    }

    private static boolean isText(RecordingSink sink) {
        return sink.samples().stream()
                .allMatch(sample -> sample.parts().getLast().codec() == Codec.TEXT);
    }

    private static Map<Long, String> ours(RecordingSink sink, boolean hex) {
        List<String> payloads = hex ? sink.hexPayloads() : sink.payloads();
        Map<Long, String> values = new LinkedHashMap<>();
        int payload = -1;
        for (RecordingSink.Sample sample : sink.samples()) {
            Part text = sample.parts().getLast();
            payload += sample.parts().size();
            values.put(((Location.Cell) text.location()).row(), payloads.get(payload));
        }
        return values;
    }

    private static Map<Long, String> duck(
            Statement statement, Path file, String column, boolean hex) throws SQLException {
        String name = "\"" + column + "\"";
        String value =
                hex ? "hex(" + name + ")" : "to_json(struct_pack(" + name + " := " + name + "))";
        String query = "select %s, %s is null from '%s'".formatted(value, name, file);
        Map<Long, String> values = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            for (long row = 0; rows.next(); row++) {
                if (!rows.getBoolean(2)) {
                    values.put(row, rows.getString(1));
                }
            }
        }
        return values;
    }

    private static void compare(
            String file, String column, Map<Long, String> ours, Map<Long, String> duck)
            throws IOException {
        assertThat(ours.keySet()).as("rows of %s in %s", column, file).isEqualTo(duck.keySet());
        for (Map.Entry<Long, String> entry : ours.entrySet()) {
            String expected = Objects.requireNonNull(duck.get(entry.getKey()));
            if (!entry.getValue().equals(expected)) {
                JsonNode left = JSON.readTree(entry.getValue());
                JsonNode right = JSON.readTree(expected);
                assertThat(left.equals(ParquetValuesTest::compareNodes, right))
                        .as("%s row %d: %s, DuckDB %s", column, entry.getKey(), left, right)
                        .isTrue();
            }
        }
    }

    private static int compareNodes(JsonNode a, JsonNode b) {
        boolean same =
                (a.isNumber() && b.isNumber())
                        ? (float) a.doubleValue() == (float) b.doubleValue()
                        : a.asText().equalsIgnoreCase(b.asText());
        return same ? 0 : 1;
    }

    @ParameterizedTest
    @MethodSource("badFiles")
    void badFileIsAnErrorWithItsName(String name) {
        Path file = resource("parquet_bad/" + name);
        List<String> errors = new ArrayList<>();
        assertThatThrownBy(
                        () -> {
                            for (String column : columnsByLibrary(file)) {
                                try {
                                    scan(file, column);
                                } catch (BadShard e) {
                                    errors.add(column);
                                    throw e;
                                }
                            }
                        })
                .isInstanceOf(BadShard.class)
                .hasMessageContaining(name);
        assertThat(errors).hasSizeLessThanOrEqualTo(1);
    }

    private static List<String> columnsByLibrary(Path file) throws IOException {
        return guard.read(
                file,
                (open, progress) ->
                        open.getFileSchema().getRootNode().children().stream()
                                .map(node -> node.name())
                                .toList());
    }

    @Test
    void oldLz4GivesTheValuesOfTheNewOne() throws IOException {
        List<String> raw =
                scan(resource("parquet/lz4_raw_compressed_larger.parquet"), "a").payloads();
        assertThat(raw).hasSize(10_000);
        assertThat(scan(resource("parquet/hadoop_lz4_compressed_larger.parquet"), "a").payloads())
                .isEqualTo(raw);
        assertThat(scan(resource("parquet/non_hadoop_lz4_compressed.parquet"), "c1").payloads())
                .containsExactly("abc", "def", "abc", "def");
    }

    @Test
    void splitStreamsGiveTheValuesOfPlainOnes() throws IOException {
        Path file = resource("parquet/byte_stream_split_extended.gzip.parquet");
        for (String column : List.of("flba5", "float", "double", "int32", "int64", "decimal")) {
            List<String> plain =
                    scan(file, column + "_plain").payloads().stream()
                            .map(value -> value.replace("_plain", ""))
                            .toList();
            List<String> split =
                    scan(file, column + "_byte_stream_split").payloads().stream()
                            .map(value -> value.replace("_byte_stream_split", ""))
                            .toList();
            assertThat(split).hasSizeGreaterThanOrEqualTo(200).isEqualTo(plain);
        }
    }

    /** Its dictionary indexes of no bits are readable: all rows have the one entry. */
    @Test
    void dictionaryOfOneEntryNeedsNoBits() throws IOException, SQLException {
        Path file = resource("parquet_bad/ARROW-GH-43605.parquet");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            for (Map.Entry<String, String> column : columns(statement, file).entrySet()) {
                compare(
                        file.toString(),
                        column.getKey(),
                        ours(scan(file, column.getKey()), false),
                        duck(statement, file, column.getKey(), false));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nation.dict-malformed.parquet",
                "rle-dict-uncompressed-corrupt-checksum.parquet"
            })
    void damagedFileIsAnErrorWithItsName(String name) {
        Path file = resource("parquet/" + name);
        assertThatThrownBy(
                        () -> {
                            for (String column : columnsByLibrary(file)) {
                                scan(file, column);
                            }
                        })
                .isInstanceOf(BadShard.class)
                .hasMessageContaining(name);
    }
}
