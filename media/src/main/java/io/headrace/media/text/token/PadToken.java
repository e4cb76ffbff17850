package io.headrace.media.text.token;

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

    static int find(Tokenizer tokenizer, JsonNode head, Path tokenizerJson) throws IOException {
        String declared = declared(head, tokenizerJson);
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

    private static @Nullable String declared(JsonNode head, Path tokenizerJson) throws IOException {
        Path config = tokenizerJson.resolveSibling("tokenizer_config.json");
        if (Files.isRegularFile(config)) {
            JsonNode pad = new ObjectMapper().readTree(config.toFile()).path("pad_token");
            String name = pad.isObject() ? pad.path("content").asText("") : pad.asText("");
            if (!pad.isNull() && !name.isEmpty()) {
                return name;
            }
        }
        return head.at("/padding/pad_token").textValue();
    }
}
