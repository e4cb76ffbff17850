package io.headrace.media.text.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The text of a sample before any template. */
public sealed interface Prompt {

    /** Where a picture stands in a text of LLaVA's kind. */
    String PLACEHOLDER = "<image>";

    /** A text about the sample's pictures. Whether {@link #PLACEHOLDER} in it stands for a picture is the template's business. */
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

        /** A turn of a text in which {@link #PLACEHOLDER} stands for a picture. */
        public static Turn of(Role role, String text) {
            return new Turn(role, Prompt.pieces(text));
        }
    }

    /** Words, or the place of a picture among them. */
    sealed interface Piece {
        record Words(String text) implements Piece {}

        record Picture() implements Piece {}
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

    /** Splits a text at each {@link #PLACEHOLDER}; empty words are left out. */
    static List<Piece> pieces(String text) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(PLACEHOLDER); at >= 0; at = text.indexOf(PLACEHOLDER, from)) {
            addWords(pieces, text.substring(from, at));
            pieces.add(new Piece.Picture());
            from = at + PLACEHOLDER.length();
        }
        addWords(pieces, text.substring(from));
        return pieces;
    }

    private static void addWords(List<Piece> pieces, String words) {
        if (!words.isEmpty()) {
            pieces.add(new Piece.Words(words));
        }
    }
}
