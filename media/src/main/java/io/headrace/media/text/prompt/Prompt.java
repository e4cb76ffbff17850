package io.headrace.media.text.prompt;

import io.headrace.engine.descriptor.MediaKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a sample before any template. */
public sealed interface Prompt {

    Pattern PLACE = Pattern.compile("<image>|<video>|<audio>");

    /** What stands for media in a text of LLaVA's kind. */
    static String placeholder(MediaKind kind) {
        return switch (kind) {
            case IMAGE -> "<image>";
            case VIDEO -> "<video>";
            case AUDIO -> "<audio>";
        };
    }

    /** A text about the sample's media. Whether {@code <image>} in it stands for a picture is the template's business. */
    record Caption(String text) implements Prompt {}

    /** Turns in the order in which they were said; at least one. */
    record Conversation(List<Turn> turns) implements Prompt {
        public Conversation {
            turns = List.copyOf(turns);
            if (turns.isEmpty()) {
                throw new IllegalArgumentException("A conversation without turns");
            }
        }
    }

    /** What one side said. */
    record Turn(Role role, List<Piece> pieces) {
        public Turn {
            pieces = List.copyOf(pieces);
        }

        /** A turn of a text in which {@code <image>} stands for a picture, {@code <video>} and {@code <audio>} likewise. */
        public static Turn of(Role role, String text) {
            return new Turn(role, Prompt.pieces(text));
        }
    }

    /** Words, or the place of media among them. */
    sealed interface Piece {
        record Words(String text) implements Piece {}

        record Media(MediaKind kind) implements Piece {}
    }

    /** Who speaks. */
    enum Role {
        SYSTEM,
        USER,
        ASSISTANT,
        TOOL;

        /** The name that chatml writes. */
        public String chatmlName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The role of a name as LLaVA, ShareGPT and OpenAI lists have it. */
        static Optional<Role> ofName(String name) {
            return switch (name) {
                case "system" -> Optional.of(SYSTEM);
                case "user", "human" -> Optional.of(USER);
                case "assistant", "gpt", "chatgpt", "model" -> Optional.of(ASSISTANT);
                case "tool" -> Optional.of(TOOL);
                default -> Optional.empty();
            };
        }
    }

    /** Splits a text at each placeholder; empty words are left out. */
    static List<Piece> pieces(String text) {
        List<Piece> pieces = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        int from = 0;
        while (place.find()) {
            addWords(pieces, text.substring(from, place.start()));
            pieces.add(new Piece.Media(kind(place.group())));
            from = place.end();
        }
        addWords(pieces, text.substring(from));
        return pieces;
    }

    private static MediaKind kind(String placeholder) {
        return MediaKind.valueOf(
                placeholder.substring(1, placeholder.length() - 1).toUpperCase(Locale.ROOT));
    }

    private static void addWords(List<Piece> pieces, String words) {
        if (!words.isEmpty()) {
            pieces.add(new Piece.Words(words));
        }
    }
}
