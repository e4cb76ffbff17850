package io.headrace.media.text.token;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** The settings of a {@code tokenizer.json}: all that precedes the vocabulary, which is not read. */
final class TokenizerHead {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TokenizerHead() {}

    /** The entries before the vocabulary; {@code model} holds its own settings. */
    static JsonNode read(String tokenizerJson) throws IOException {
        ObjectNode head = JSON.createObjectNode();
        try (JsonParser parser = JSON.createParser(tokenizerJson)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("model")) {
                    head.set(field, settings(parser));
                    return head;
                }
                head.set(field, parser.<JsonNode>readValueAsTree());
            }
        }
        return head;
    }

    private static ObjectNode settings(JsonParser parser) throws IOException {
        ObjectNode settings = JSON.createObjectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken().isStructStart()) {
                break;
            }
            settings.set(field, parser.<JsonNode>readValueAsTree());
        }
        return settings;
    }
}
