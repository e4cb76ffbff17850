package io.headrace.sources.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.RecordingSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.stores.LocalFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonScannersTest {

    private static final FieldSelection LLAVA = FieldSelection.ofImages(List.of(), "conversations");
    private static final FieldSelection TEXT = FieldSelection.ofImages(List.of(), "text");

    @TempDir Path folder;

    @BeforeEach
    void media() throws IOException {
        Files.createDirectories(folder.resolve("img"));
        Files.writeString(folder.resolve("img/a.jpg"), "picture a");
        Files.writeString(folder.resolve("img/b.jpg"), "picture b");
    }

    private RecordingSink lines(byte[] bytes, FieldSelection fields) throws IOException {
        Path file = Files.write(folder.resolve("list.jsonl"), bytes);
        RecordingSink sink = new RecordingSink();
        try (LocalFile source = LocalFile.open(file)) {
            ShardScanner scanner = new JsonLinesScanner(file, source, fields);
            assertThat(scanner.scan(sink)).isEqualTo(bytes.length);
        }
        return sink;
    }

    private RecordingSink lines(String text, FieldSelection fields) throws IOException {
        return lines(text.getBytes(StandardCharsets.UTF_8), fields);
    }

    private RecordingSink list(String text, FieldSelection fields) throws IOException {
        Path file = Files.writeString(folder.resolve("list.json"), text);
        RecordingSink sink = new RecordingSink();
        try (LocalFile source = LocalFile.open(file)) {
            new JsonListScanner(file, source, fields).scan(sink);
        }
        return sink;
    }

    @Test
    void lineWithPicturesAndConversation() throws IOException {
        String line =
                "{\"id\":\"x7\",\"image\":\"img/a.jpg\",\"conversations\":[{\"from\":\"human\",\"value\":\"hi\"}]}";
        RecordingSink sink = lines(line + "\n", LLAVA);
        assertThat(sink.keys()).containsExactly("x7");
        List<Part> parts = sink.samples().getFirst().parts();
        assertThat(parts)
                .extracting(Part::location)
                .containsExactly(
                        new Location.File(0, "img/a.jpg", 9),
                        new Location.Range(0, 0, line.length()));
        assertThat(((Part.Text) parts.get(1)).selector()).isEqualTo("conversations");
        assertThat(sink.payloads()).containsExactly("picture a", line);
    }

    @Test
    void severalPicturesKeepTheirOrder() throws IOException {
        RecordingSink sink =
                lines("{\"images\":[\"img/b.jpg\",{\"path\":\"img/a.jpg\"}],\"text\":\"t\"}", TEXT);
        assertThat(sink.payloads()).startsWith("picture b", "picture a");
        assertThat(sink.samples().getFirst().parts()).hasSize(3);
    }

    @Test
    void lineWithoutPictureIsTextAlone() throws IOException {
        RecordingSink sink = lines("{\"text\":\"a\"}\n{\"image\":null,\"text\":\"b\"}", TEXT);
        assertThat(sink.keys()).containsExactly("line 1", "line 2");
    }

    @Test
    void keysInsideObjectsAreReached() throws IOException {
        RecordingSink sink =
                lines(
                        "{\"m\":{\"i\":\"img/a.jpg\",\"t\":\"x\"}}",
                        FieldSelection.ofImages(List.of("m.i"), "m.t"));
        assertThat(sink.samples().getFirst().fields()).containsExactly("m.i", "#m.t");
    }

    @Test
    void markReturnsBlankLinesAndAMissingLastEndChangeNothing() throws IOException {
        String plain = "{\"text\":\"one\"}\n{\"text\":\"two\"}\n";
        String odd = "\uFEFF{\"text\":\"one\"}\r\n\r\n   \n{\"text\":\"two\"}";
        RecordingSink sink = lines(odd, TEXT);
        assertThat(sink.payloads()).isEqualTo(lines(plain, TEXT).payloads());
        assertThat(sink.skips()).isEmpty();
        assertThat(sink.samples().getFirst().parts().getFirst().location())
                .isEqualTo(new Location.Range(0, 3, 14));
        assertThat(sink.keys()).containsExactly("line 1", "line 4");
    }

    @Test
    void badLinesAreNamedAndNothingElseIsLost() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("{\"text\":\"one\"}\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"text\":\"caf\u00e9\"}\n".getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes("{\"text\":\"a\0b\"}\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"text\":\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("[1]\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"text\":\"two\"} x\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"other\":1}\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"text\":\"three\"}\n".getBytes(StandardCharsets.UTF_8));
        RecordingSink sink = lines(bytes.toByteArray(), TEXT);
        assertThat(sink.keys()).containsExactly("line 1", "line 8");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactly(
                        tuple(Reason.BAD_ENCODING, "line 2"),
                        tuple(Reason.BAD_JSON, "line 3"),
                        tuple(Reason.BAD_JSON, "line 4"),
                        tuple(Reason.BAD_JSON, "line 5"),
                        tuple(Reason.BAD_JSON, "line 6"),
                        tuple(Reason.MISSING_FIELD, "line 7"));
        assertThat(sink.skips().getFirst().offsetBytes()).isEqualTo(15);
    }

    @Test
    void loneSurrogateIsBadEncoding() throws IOException {
        RecordingSink sink =
                lines(
                        "{\"text\":\"a\\ud800b\"}\n{\"text\":\"\\ud83d\\ude00\"}\n{\"text\":\"x\\udc00\"}",
                        TEXT);
        assertThat(sink.keys()).containsExactly("line 2");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactly(
                        tuple(Reason.BAD_ENCODING, "line 1"), tuple(Reason.BAD_ENCODING, "line 3"));
    }

    @Test
    void missingFilesAndAddressesAreNamed() throws IOException {
        RecordingSink sink =
                lines(
                        """
                        {"image":"img/none.jpg","text":"a"}
                        {"image":"http://h/x.jpg","text":"b"}
                        {"image":"img","text":"c"}
                        {"image":7,"text":"d"}
                        {"image":"img/a.jpg","text":"e"}
                        """,
                        TEXT);
        assertThat(sink.keys()).containsExactly("line 5");
        assertThat(sink.skips())
                .extracting(Skip::reason)
                .containsExactly(
                        Reason.MISSING_FILE,
                        Reason.UNSUPPORTED,
                        Reason.NOT_A_REGULAR_FILE,
                        Reason.UNSUPPORTED);
        assertThat(sink.skips().getFirst().detail()).contains("img/none.jpg");
    }

    @Test
    void linesLongerThanTheWindowAreRead() throws IOException {
        String longLine = "{\"text\":\"" + "x".repeat(700_000) + "\"}";
        RecordingSink sink = lines("{\"text\":\"a\"}\n" + longLine + "\n" + longLine, TEXT);
        assertThat(sink.payloads()).containsExactly("{\"text\":\"a\"}", longLine, longLine);
    }

    @Test
    void emptyFileIsAnError() {
        assertThatThrownBy(() -> lines("", TEXT))
                .isInstanceOf(BadShard.class)
                .hasMessageEndingWith("list.jsonl: empty file");
    }

    @Test
    void elementsOfAListAreSamples() throws IOException {
        String text =
                "\uFEFF [ {\"id\":1,\"text\":\"a ] } \\\" \"},\n {\"id\":2,\"text\":[{\"value\":\"{\"}]} ] trailing";
        RecordingSink sink = list(text, TEXT);
        assertThat(sink.keys()).containsExactly("1", "2");
        assertThat(sink.payloads().getFirst()).isEqualTo("{\"id\":1,\"text\":\"a ] } \\\" \"}");
        assertThat(sink.samples().getFirst().parts().getFirst().location())
                .isEqualTo(new Location.Range(0, 6, 27));
    }

    @Test
    void badElementsAreNamedAndNothingElseIsLost() throws IOException {
        RecordingSink sink = list("[{\"text\":1 2},7,\"s,]\",[1,{}],{\"text\":\"ok\"},{}]", TEXT);
        assertThat(sink.keys()).containsExactly("element 4");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactly(
                        tuple(Reason.BAD_JSON, "element 0"),
                        tuple(Reason.BAD_JSON, "element 1"),
                        tuple(Reason.BAD_JSON, "element 2"),
                        tuple(Reason.BAD_JSON, "element 3"),
                        tuple(Reason.MISSING_FIELD, "element 5"));
    }

    @Test
    void listThatEndsEarlyGivesItsWholeElements() throws IOException {
        RecordingSink sink = list("[{\"text\":\"a\"},{\"text\":\"b", TEXT);
        assertThat(sink.keys()).containsExactly("element 0");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name, Skip::offsetBytes)
                .containsExactly(tuple(Reason.TRUNCATED, "element 1", 14L));
        assertThatThrownBy(() -> list("{\"a\":[]}", TEXT))
                .isInstanceOf(BadShard.class)
                .hasMessageContaining("begins with '{'");
        assertThat(list("[]", TEXT).samples()).isEmpty();
    }
}
