package io.headrace.media.text.prompt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.text.prompt.Prompt.Caption;
import io.headrace.media.text.prompt.Prompt.Conversation;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptReaderTest {

    private static Prompt json(String payload, String selector) throws BadPayload {
        return PromptReader.read(payload.getBytes(UTF_8), Codec.JSON, selector);
    }

    private static BadPayload bad(byte[] payload, Codec codec, String selector) {
        return catchThrowableOfType(
                BadPayload.class, () -> PromptReader.read(payload, codec, selector));
    }

    private static BadPayload badJson(String payload, String selector) {
        return bad(payload.getBytes(UTF_8), Codec.JSON, selector);
    }

    private static void assertBad(BadPayload error, Reason reason, long offset, String... words) {
        assertThat(error.reason()).isEqualTo(reason);
        assertThat(error.offsetBytes()).isEqualTo(offset);
        for (String word : words) {
            assertThat(error).message().contains(word);
        }
    }

    @Test
    void textIsTheCaptionWithoutByteOrderMarkAndLastLineEnd() throws BadPayload {
        for (String payload :
                List.of(
                        "Grüße,\n2 🙂",
                        "\ufeffGrüße,\n2 🙂",
                        "Grüße,\n2 🙂\n",
                        "\ufeffGrüße,\n2 🙂\r\n")) {
            assertThat(PromptReader.read(payload.getBytes(UTF_8), Codec.TEXT, ""))
                    .isEqualTo(new Caption("Grüße,\n2 🙂"));
        }
        assertThat(PromptReader.read(new byte[0], Codec.TEXT, "")).isEqualTo(new Caption(""));
    }

    @Test
    void aLatinByteIsAnErrorWithItsOffset() {
        byte[] latin = "caf\u00e9 noir".getBytes(StandardCharsets.ISO_8859_1);
        assertBad(bad(latin, Codec.TEXT, ""), Reason.BAD_ENCODING, 3, "0xE9");
        byte[] json = "{\"caption\": \"caf\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertBad(bad(json, Codec.JSON, "caption"), Reason.BAD_ENCODING, 16, "0xE9");
    }

    @Test
    void aCutOrOverlongSequenceIsAnError() {
        assertBad(
                bad(new byte[] {'a', (byte) 0xE2, (byte) 0x82}, Codec.TEXT, ""),
                Reason.BAD_ENCODING,
                1,
                "0xE2");
        assertBad(
                bad(new byte[] {(byte) 0xC0, (byte) 0xAF}, Codec.TEXT, ""),
                Reason.BAD_ENCODING,
                0,
                "0xC0");
        assertBad(
                bad(new byte[] {'a', 'b', (byte) 0xED, (byte) 0xA0, (byte) 0x80}, Codec.TEXT, ""),
                Reason.BAD_ENCODING,
                2,
                "0xED");
    }

    @Test
    void anEscapedLoneSurrogateIsAnErrorAndAPairIsNot() throws BadPayload {
        assertBad(
                badJson("{\"caption\": \"ab\\ud800c\"}", "caption"),
                Reason.BAD_ENCODING,
                -1,
                "\\ud800",
                "character 2");
        assertBad(
                badJson("[{\"from\": \"human\", \"value\": \"\\ude42\"}]", ""),
                Reason.BAD_ENCODING,
                -1,
                "\\ude42",
                "character 0");
        assertThat(json("{\"caption\": \"\\ud83d\\ude42\"}", "caption"))
                .isEqualTo(new Caption("🙂"));
        assertThat(json("{\"caption\": \"fine\", \"other\": \"\\ud800\"}", "caption"))
                .isEqualTo(new Caption("fine"));
    }

    @Test
    void badJsonIsAnErrorWithItsOffset() {
        assertBad(badJson("{\"caption\": \"a\", }", "caption"), Reason.BAD_JSON, 17);
        assertBad(badJson("\ufeff{\"caption\": x}", "caption"), Reason.BAD_JSON, 15);
        assertBad(badJson("{\"caption\": \"a\"} {", "caption"), Reason.BAD_JSON, 17, "railing");
        assertBad(badJson("{\"caption\": \"a", "caption"), Reason.BAD_JSON, 14);
        assertBad(badJson("{\"a\u0000\": 1}", "caption"), Reason.BAD_JSON, 3, "NUL");
        assertBad(badJson(" \r\n", "caption"), Reason.EMPTY, 0);
        byte[] utf16 = "\"a\"".getBytes(StandardCharsets.UTF_16LE);
        assertBad(bad(utf16, Codec.JSON, ""), Reason.BAD_JSON, 1, "NUL");
        assertBad(badJson("[".repeat(100_000), ""), Reason.BAD_JSON, -1, "depth");
    }

    @Test
    void jsonIsWhatPythonWrites() throws BadPayload {
        assertThat(json("{\"score\": NaN, \"x\": -Infinity, \"caption\": \"a\"}\r\n", "caption"))
                .isEqualTo(new Caption("a"));
        assertThat(json("{\"caption\": \"a\", \"caption\": \"b\"}", "caption"))
                .isEqualTo(new Caption("b"));
    }

    @Test
    void theSelectorIsAKeyOrAPath() throws BadPayload {
        assertThat(json("{\"a.b\": \"key\", \"a\": {\"b\": \"path\"}}", "a.b"))
                .isEqualTo(new Caption("key"));
        assertThat(json("{\"a\": {\"b\": \"path\"}}", "a.b")).isEqualTo(new Caption("path"));
        assertThat(json("\"bare\"", "caption")).isEqualTo(new Caption("bare"));
        assertThat(json("{\"text\": \"t\", \"caption\": \"c\"}", "")).isEqualTo(new Caption("c"));
    }

    @Test
    void aMissingKeyIsNamedWithTheKeysThatAreThere() {
        assertBad(
                badJson("{\"text\": \"a\", \"url\": 1}", "caption"),
                Reason.MISSING_FIELD,
                -1,
                "'caption'",
                "text, url");
        assertBad(badJson("{\"caption\": null}", "caption"), Reason.MISSING_FIELD, -1, "'caption'");
        assertBad(badJson("{\"url\": 1}", ""), Reason.MISSING_FIELD, -1, "conversations", "url");
        assertBad(badJson("{\"caption\": 7}", "caption"), Reason.UNSUPPORTED, -1, "NUMBER");
    }

    @Test
    void llavaTurnsSplitAtThePlaceholder() throws BadPayload {
        Prompt prompt =
                json(
                        """
                        {"id": "1", "image": "a.jpg", "conversations": [
                          {"from": "human", "value": "<image>\\nWhat is it?"},
                          {"from": "gpt", "value": "A cat."}]}
                        """,
                        "conversations");
        assertThat(prompt)
                .isEqualTo(
                        new Conversation(
                                List.of(
                                        new Turn(
                                                Role.USER,
                                                List.of(
                                                        new Piece.Media(MediaKind.IMAGE),
                                                        new Piece.Words("\nWhat is it?"))),
                                        new Turn(
                                                Role.ASSISTANT,
                                                List.of(new Piece.Words("A cat."))))));
    }

    @Test
    void messagesWithPartsKeepThePlaceholderAsText() throws BadPayload {
        Prompt prompt =
                json(
                        """
                        {"messages": [{"role": "user", "content": [
                           {"type": "image_url", "image_url": {"url": "x"}},
                           {"type": "text", "text": "<image>"}]},
                          {"role": "assistant", "content": "<image>"}]}
                        """,
                        "");
        assertThat(prompt)
                .isEqualTo(
                        new Conversation(
                                List.of(
                                        new Turn(
                                                Role.USER,
                                                List.of(
                                                        new Piece.Media(MediaKind.IMAGE),
                                                        new Piece.Words("<image>"))),
                                        new Turn(
                                                Role.ASSISTANT,
                                                List.of(new Piece.Media(MediaKind.IMAGE))))));
    }

    @Test
    void badTurnsSayWhichAndWhat() {
        assertBad(
                badJson("[{\"from\": \"human\", \"text\": \"a\"}]", ""),
                Reason.MISSING_FIELD,
                -1,
                "'value' in turn 0",
                "from, text");
        assertBad(
                badJson("[{\"role\": \"user\", \"content\": \"a\"}, {\"content\": \"b\"}]", ""),
                Reason.MISSING_FIELD,
                -1,
                "'role' in turn 1");
        assertBad(
                badJson("[{\"from\": \"bard\", \"value\": \"a\"}]", ""),
                Reason.UNSUPPORTED,
                -1,
                "'bard'",
                "human");
        assertBad(
                badJson("[{\"role\": \"user\", \"content\": [{\"type\": \"tool_call\"}]}]", ""),
                Reason.UNSUPPORTED,
                -1,
                "'tool_call'",
                "image_url");
        assertBad(
                badJson("[{\"role\": \"user\", \"content\": {\"a\": 1}}]", ""),
                Reason.UNSUPPORTED,
                -1,
                "OBJECT");
        assertBad(badJson("{\"messages\": []}", "messages"), Reason.EMPTY, -1);
        assertBad(badJson("[1]", ""), Reason.MISSING_FIELD, -1, "turn 0");
    }

    @Test
    void aPictureIsNoText() {
        assertBad(bad(new byte[0], Codec.PNG, ""), Reason.UNSUPPORTED, -1, "PNG");
    }
}
