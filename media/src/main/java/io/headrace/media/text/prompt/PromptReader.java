package io.headrace.media.text.prompt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the caption or conversation out of a payload. Text is strict UTF-8 without its byte order mark; JSON is what Python's
 * {@code json.loads} takes, so NaN and Infinity are allowed and the last of equal keys counts.
 */
public final class PromptReader {

    /** Keys looked for, in this order, where a JSON object comes without a selector. */
    private static final List<String> USUAL_KEYS =
            List.of("conversations", "messages", "caption", "text");

    private static final int NAMED_KEYS = 12;

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private PromptReader() {}

    /**
     * Reads a prompt.
     *
     * @param codec TEXT: the payload is the caption, one line end at its end dropped. JSON: see selector
     * @param selector key of a JSON object, or a path of keys joined by dots; empty: the first of conversations, messages, caption,
     *     text. A payload that is itself a string or a list needs none
     * @throws BadPayload BAD_ENCODING and BAD_JSON with their offset in bytes, MISSING_FIELD with the keys that are there
     */
    public static Prompt read(byte[] payload, Codec codec, String selector) throws BadPayload {
        String text = Utf8.decode(payload);
        return switch (codec) {
            case TEXT -> new Prompt.Caption(withoutLineEnd(text));
            case JSON -> prompt(selected(parse(payload, text), selector));
            default ->
                    throw new BadPayload(
                            Reason.UNSUPPORTED, "Media where text is needed: " + codec);
        };
    }

    private static String withoutLineEnd(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static JsonNode parse(byte[] payload, String text) throws BadPayload {
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            throw new BadPayload(
                    Reason.BAD_JSON, "A NUL byte in JSON", offsetOf(payload, (byte) 0));
        }
        if (text.isBlank()) {
            throw new BadPayload(Reason.EMPTY, "Empty text where JSON is needed", 0);
        }
        int from = Utf8.bomBytes(payload);
        try {
            return JSON.readTree(payload, from, payload.length - from);
        } catch (JsonProcessingException e) {
            long offset = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
            throw new BadPayload(
                    Reason.BAD_JSON, e.getOriginalMessage(), offset < 0 ? -1 : from + offset);
        } catch (IOException e) {
            throw new BadPayload(Reason.BAD_JSON, String.valueOf(e.getMessage()));
        }
    }

    private static long offsetOf(byte[] payload, byte wanted) {
        int at = 0;
        while (payload[at] != wanted) {
            at++;
        }
        return at;
    }

    private static JsonNode selected(JsonNode root, String selector) throws BadPayload {
        if (!root.isObject()) {
            return root;
        }
        Optional<JsonNode> found =
                selector.isEmpty()
                        ? USUAL_KEYS.stream().filter(root::hasNonNull).findFirst().map(root::get)
                        : Optional.ofNullable(at(root, selector)).filter(node -> !node.isNull());
        return found.orElseThrow(
                () -> {
                    String wanted = selector.isEmpty() ? String.join(", ", USUAL_KEYS) : selector;
                    return new BadPayload(
                            Reason.MISSING_FIELD,
                            "No value at '%s'; keys here: %s".formatted(wanted, keys(root)));
                });
    }

    private static @Nullable JsonNode at(JsonNode root, String selector) {
        if (root.has(selector)) {
            return root.get(selector);
        }
        JsonNode node = root;
        for (String key : selector.split("\\.", -1)) {
            node = node.path(key);
        }
        return node.isMissingNode() ? null : node;
    }

    private static String keys(JsonNode root) {
        List<String> names = root.propertyStream().map(e -> e.getKey()).limit(NAMED_KEYS).toList();
        return String.join(", ", names) + (root.size() > NAMED_KEYS ? ", ..." : "");
    }

    private static Prompt prompt(JsonNode value) throws BadPayload {
        if (value.isTextual()) {
            return new Prompt.Caption(Utf8.withoutLoneSurrogates(value.textValue()));
        }
        if (value.isArray()) {
            return ConversationReader.read(value);
        }
        throw new BadPayload(
                Reason.UNSUPPORTED,
                "A caption is a string and a conversation a list, not " + value.getNodeType());
    }
}
