package io.headrace.media.text;

import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import io.headrace.media.text.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The caption alone, with the vocabulary's own start and end tokens, all of it trained. Of a conversation: its pictures, then what the
 * assistant says, turns joined by a line feed, as LLaVA's template of the same name has it.
 */
final class PlainRenderer implements Renderer {

    private final Tokenizer tokenizer;
    private final boolean picturesInSequence;
    private final int suffixTokens;

    PlainRenderer(Tokenizer tokenizer, boolean picturesInSequence) {
        this.tokenizer = tokenizer;
        this.picturesInSequence = picturesInSequence;
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
    public Draft render(Prompt prompt, int pictures) {
        String text =
                switch (prompt) {
                    case Prompt.Caption(String caption) when !picturesInSequence -> caption;
                    case Prompt.Caption(String caption) ->
                            written(Prompt.pieces(caption), pictures);
                    case Prompt.Conversation(List<Turn> turns) -> written(flat(turns), pictures);
                };
        int[] ids = tokenizer.ids(text, true);
        Draft draft = new Draft();
        draft.add(ids, 0, ids.length, true);
        return draft;
    }

    private String written(List<Piece> pieces, int pictures) {
        return picturesInSequence
                ? Placeholders.written(Placeholders.placed(pieces, pictures))
                : Placeholders.words(pieces);
    }

    private static List<Piece> flat(List<Turn> turns) {
        List<Piece> pieces = new ArrayList<>();
        turns.forEach(turn -> pieces.addAll(Placeholders.pictures(turn.pieces())));
        pieces.add(
                new Piece.Words(
                        turns.stream()
                                .filter(turn -> turn.role() == Role.ASSISTANT)
                                .map(turn -> Placeholders.words(turn.pieces()))
                                .collect(Collectors.joining("\n"))));
        return pieces;
    }

    @Override
    public int suffixTokens() {
        return suffixTokens;
    }
}
