package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import io.headrace.media.text.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns as Qwen2.5-VL's chat template writes them: {@code <|im_start|>role\ncontent<|im_end|>\n}, behind a system turn if there is none and the model's template has one.
 * Trained: of each assistant's turn the content and its {@code <|im_end|>}; neither its header nor the line feed behind it.
 *
 * <p>Each turn is tokenized alone. That gives the ids of the whole text, since tokenizers split at special tokens before all else.
 */
final class ChatmlRenderer implements Renderer {

    static final String DEFAULT_SYSTEM = "You are a helpful assistant.";

    private static final String START = "<|im_start|>";
    private static final String END = "<|im_end|>";

    private final Tokenizer tokenizer;
    private final MediaStyle style;
    private final int[] assistantHeader;
    private final int tailTokens;

    ChatmlRenderer(Tokenizer tokenizer, MediaStyle style) {
        MediaTokens.needed(tokenizer, START);
        MediaTokens.needed(tokenizer, END);
        this.tokenizer = tokenizer;
        this.style = style;
        this.assistantHeader = tokenizer.ids(header(Role.ASSISTANT), false);
        this.tailTokens = tokenizer.ids(END + "\n", false).length - 1;
    }

    @Override
    public Draft render(Prompt prompt, MediaCounts media) throws BadPayload {
        Placeholders places = new Placeholders(style, media);
        Draft draft = new Draft();
        for (Turn turn : withSystem(places.placedInTurns(turns(prompt, places)))) {
            add(draft, turn, places);
        }
        return draft;
    }

    /** A caption is what the assistant says to a user who shows the media and says nothing. */
    private static List<Turn> turns(Prompt prompt, Placeholders places) {
        return switch (prompt) {
            case Prompt.Conversation(List<Turn> turns) -> turns;
            case Prompt.Caption(String caption) -> {
                List<Piece> pieces = Prompt.pieces(caption);
                List<Piece> shown = places.places(pieces);
                String words = places.words(pieces);
                Piece said = new Piece.Words(shown.isEmpty() ? words : words.strip());
                yield List.of(new Turn(Role.USER, shown), new Turn(Role.ASSISTANT, List.of(said)));
            }
        };
    }

    private List<Turn> withSystem(List<Turn> turns) {
        if (turns.getFirst().role() == Role.SYSTEM || !style.hasSystemTurn()) {
            return turns;
        }
        List<Turn> all = new ArrayList<>();
        all.add(new Turn(Role.SYSTEM, List.of(new Piece.Words(DEFAULT_SYSTEM))));
        all.addAll(turns);
        return all;
    }

    private static String header(Role role) {
        return START + role.chatmlName() + "\n";
    }

    private void add(Draft draft, Turn turn, Placeholders places) {
        String content =
                style.inSequence() ? places.written(turn.pieces()) : places.words(turn.pieces());
        int[] ids = tokenizer.ids(header(turn.role()) + content + END + "\n", false);
        if (turn.role() != Role.ASSISTANT) {
            draft.add(ids, 0, ids.length, false);
            return;
        }
        int header = commonPrefix(ids, assistantHeader);
        draft.add(ids, 0, header, false);
        draft.add(ids, header, ids.length - tailTokens, true);
        draft.add(ids, ids.length - tailTokens, ids.length, false);
    }

    /** Content that starts with a line feed may share a token with the header's; that token is content. */
    private static int commonPrefix(int[] a, int[] b) {
        int n = 0;
        while (n < Math.min(a.length, b.length) && a[n] == b[n]) {
            n++;
        }
        return n;
    }

    @Override
    public int suffixTokens() {
        return 0;
    }
}
