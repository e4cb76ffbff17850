package io.headrace.media.text.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id that pads rows, in the order of transformers: the {@code pad_token} of a {@code tokenizer_config.json} beside the
 * tokenizer, the {@code padding} of the tokenizer itself, then the first usual name that the vocabulary has as one token.
 */
final class PadToken {

    /** CLIP and GPT-2 pad with the end of text. */
    private static final List<String> USUAL =
            List.of("<pad>", "[PAD]", "<|pad|>", "<|endoftext|>", "</s>");

    private PadToken() {}

    static int find(Tokenizer tokenizer, Path tokenizerJson) throws IOException {
        String declared = declared(tokenizerJson);
        if (declared != null) {
            return tokenizer
                    .id(declared)
                    .orElseThrow(
                            () ->
                                    new IOException(
                                            "The pad token %s is not in the vocabulary of %s"
                                                    .formatted(declared, tokenizerJson)));
        }
        return USUAL.stream()
                .map(tokenizer::id)
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IOException(
                                        "No pad token in %s: tried %s; a tokenizer_config.json beside it may name one"
                                                .formatted(tokenizerJson, USUAL)));
    }

    private static @Nullable String declared(Path tokenizerJson) throws IOException {
        Path config = tokenizerJson.resolveSibling("tokenizer_config.json");
        if (Files.isRegularFile(config)) {
            JsonNode pad = new ObjectMapper().readTree(config.toFile()).path("pad_token");
            String name = pad.isObject() ? pad.path("content").asText("") : pad.asText("");
            if (!pad.isNull() && !name.isEmpty()) {
                return name;
            }
        }
        return ofPadding(tokenizerJson);
    }

    /** Reads no further than the {@code padding} entry, which precedes the vocabulary. */
    private static @Nullable String ofPadding(Path tokenizerJson) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(tokenizerJson.toFile())) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("padding") && parser.currentToken() == JsonToken.START_OBJECT) {
                    return padTokenField(parser);
                }
                if (field.equals("padding") || field.equals("model")) {
                    return null;
                }
                parser.skipChildren();
            }
            return null;
        }
    }

    private static @Nullable String padTokenField(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (field.equals("pad_token")) {
                return parser.getText();
            }
            parser.skipChildren();
        }
        return null;
    }
}
