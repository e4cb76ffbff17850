package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Places of pictures among words, and their writing in Qwen's tokens. */
final class Placeholders {

    private Placeholders() {}

    /** The pieces, behind a place for each picture if they have none of their own. */
    static List<Piece> placed(List<Piece> pieces, int pictures) {
        if (pictures == 0 || places(pieces)) {
            return pieces;
        }
        List<Piece> all = new ArrayList<>(Collections.nCopies(pictures, new Piece.Picture()));
        all.addAll(pieces);
        return all;
    }

    /** The turns, the first user's one behind a place for each picture if no turn has any. */
    static List<Turn> placedInTurns(List<Turn> turns, int pictures) throws BadPayload {
        if (pictures == 0 || turns.stream().anyMatch(turn -> places(turn.pieces()))) {
            return turns;
        }
        List<Turn> all = new ArrayList<>(turns);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).role() == Role.USER) {
                all.set(i, new Turn(Role.USER, placed(all.get(i).pieces(), pictures)));
                return all;
            }
        }
        throw new BadPayload(
                Reason.MISSING_FIELD,
                "%d pictures without a place, and no user's turn to put them in"
                        .formatted(pictures));
    }

    /** Whether the pieces give pictures a place, be it written out in Qwen's own tokens. */
    private static boolean places(List<Piece> pieces) {
        return pieces.stream()
                .anyMatch(
                        piece ->
                                switch (piece) {
                                    case Piece.Picture() -> true;
                                    case Piece.Words(String text) ->
                                            text.contains(VisionTokens.PAD);
                                });
    }

    static String written(List<Piece> pieces) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            switch (piece) {
                case Piece.Picture() -> text.append(VisionTokens.TEXT);
                case Piece.Words(String words) -> text.append(words);
            }
        }
        return text.toString();
    }

    /** The words alone. */
    static String words(List<Piece> pieces) {
        return written(pieces.stream().filter(Piece.Words.class::isInstance).toList());
    }

    /** The pictures alone. */
    static List<Piece> pictures(List<Piece> pieces) {
        return pieces.stream().filter(Piece.Picture.class::isInstance).toList();
    }
}
