package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import io.headrace.media.text.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The caption alone, with the vocabulary's own start and end tokens, all of it trained. Of a conversation: its media, then what the
 * assistant says, turns joined by a line feed, as LLaVA's template of the same name has it.
 */
final class PlainRenderer implements Renderer {

    private final Tokenizer tokenizer;
    private final MediaStyle style;
    private final int suffixTokens;

    PlainRenderer(Tokenizer tokenizer, MediaStyle style) {
        this.tokenizer = tokenizer;
        this.style = style;
        this.suffixTokens = suffixTokens(tokenizer);
    }

    /** How many tokens the vocabulary puts behind a text, seen on a probe. */
    private static int suffixTokens(Tokenizer tokenizer) {
        int[] bare = tokenizer.ids("a", false);
        int[] whole = tokenizer.ids("a", true);
        int prefix = 0;
        while (prefix < whole.length && whole[prefix] != bare[0]) {
            prefix++;
        }
        return Math.max(0, whole.length - prefix - bare.length);
    }

    @Override
    public Draft render(Prompt prompt, MediaCounts media) {
        Placeholders places = new Placeholders(style, media);
        String text =
                switch (prompt) {
                    case Prompt.Caption(String caption) when !style.inSequence() -> caption;
                    case Prompt.Caption(String caption) ->
                            places.written(places.placed(Prompt.pieces(caption)));
                    case Prompt.Conversation(List<Turn> turns) -> written(turns, places);
                };
        int[] ids = tokenizer.ids(text, true);
        Draft draft = new Draft();
        draft.add(ids, 0, ids.length, true);
        return draft;
    }

    private String written(List<Turn> turns, Placeholders places) {
        List<Piece> flat = flat(turns, places);
        return style.inSequence() ? places.written(places.placed(flat)) : places.words(flat);
    }

    private static List<Piece> flat(List<Turn> turns, Placeholders places) {
        List<Piece> pieces = new ArrayList<>();
        turns.forEach(turn -> pieces.addAll(places.places(turn.pieces())));
        pieces.add(
                new Piece.Words(
                        turns.stream()
                                .filter(turn -> turn.role() == Role.ASSISTANT)
                                .map(turn -> places.words(turn.pieces()))
                                .collect(Collectors.joining("\n"))));
        return pieces;
    }

    @Override
    public int suffixTokens() {
        return suffixTokens;
    }
}
