package io.headrace.media.text.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the turns of a conversation: LLaVA's {@code {from, value}} or OpenAI's {@code {role, content}}, whose content is a string or a
 * list of {@code {type: text | image | video | audio}}. In strings {@code <image>} stands for a picture, {@code <video>} and {@code <audio>} likewise; in the texts of a list it is text.
 */
final class ConversationReader {

    private ConversationReader() {}

    static Prompt.Conversation read(JsonNode list) throws BadPayload {
        if (list.isEmpty()) {
            throw new BadPayload(Reason.EMPTY, "A conversation without turns");
        }
        List<Turn> turns = new ArrayList<>();
        for (JsonNode entry : list) {
            turns.add(turn(entry, turns.size()));
        }
        return new Prompt.Conversation(turns);
    }

    private static Turn turn(JsonNode entry, int index) throws BadPayload {
        boolean llava = entry.has("from") || entry.has("value");
        Role role = role(entry, llava ? "from" : "role", index);
        JsonNode said = needed(entry, llava ? "value" : "content", index);
        if (said.isTextual()) {
            return Turn.of(role, Utf8.withoutLoneSurrogates(said.textValue()));
        }
        if (said.isArray()) {
            return new Turn(role, pieces(said, index));
        }
        throw new BadPayload(
                Reason.UNSUPPORTED,
                "Turn %d says neither a string nor a list but %s"
                        .formatted(index, said.getNodeType()));
    }

    private static Role role(JsonNode entry, String key, int index) throws BadPayload {
        String name = needed(entry, key, index).asText();
        return Role.ofName(name)
                .orElseThrow(
                        () ->
                                new BadPayload(
                                        Reason.UNSUPPORTED,
                                        "Turn %d is of '%s'; known: system, user, human, assistant, gpt, chatgpt, model, tool"
                                                .formatted(index, name)));
    }

    private static JsonNode needed(JsonNode entry, String key, int index) throws BadPayload {
        if (!entry.hasNonNull(key)) {
            List<String> keys = entry.propertyStream().map(e -> e.getKey()).toList();
            throw new BadPayload(
                    Reason.MISSING_FIELD,
                    "No '%s' in turn %d; keys there: %s"
                            .formatted(key, index, String.join(", ", keys)));
        }
        return entry.get(key);
    }

    private static List<Piece> pieces(JsonNode content, int index) throws BadPayload {
        List<Piece> pieces = new ArrayList<>();
        for (JsonNode item : content) {
            String type = item.path("type").asText("text");
            switch (type) {
                case "text" -> {
                    String words = needed(item, "text", index).asText();
                    pieces.add(new Piece.Words(Utf8.withoutLoneSurrogates(words)));
                }
                case "image", "image_url" -> pieces.add(new Piece.Media(MediaKind.IMAGE));
                case "video", "video_url" -> pieces.add(new Piece.Media(MediaKind.VIDEO));
                case "audio", "input_audio" -> pieces.add(new Piece.Media(MediaKind.AUDIO));
                default ->
                        throw new BadPayload(
                                Reason.UNSUPPORTED,
                                "Turn %d holds a part of type '%s'; known: text, image, image_url, video, video_url, audio, input_audio"
                                        .formatted(index, type));
            }
        }
        return pieces;
    }
}
