package io.headrace.media.text;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.text.MediaStyle.Marks;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.Prompt.Piece;
import io.headrace.media.text.prompt.Prompt.Role;
import io.headrace.media.text.prompt.Prompt.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places of media among the words of one sample, and their writing in a model's tokens; counts what it writes. Without a video in the
 * sample, {@code <video>} is text, and so with audio: only {@code <image>} always stands for a picture.
 */
final class Placeholders {
    private final MediaStyle style;
    private final MediaCounts counts;
    private final Map<MediaKind, Integer> written = new EnumMap<>(MediaKind.class);

    Placeholders(MediaStyle style, MediaCounts counts) {
        this.style = style;
        this.counts = counts;
    }

    /** The pieces, behind a place for each part of a kind that has none of its own; pictures first, then videos, then audio. */
    List<Piece> placed(List<Piece> pieces) {
        return placed(pieces, missing(List.of(pieces)));
    }

    private static List<Piece> placed(List<Piece> pieces, List<Piece> missing) {
        List<Piece> all = new ArrayList<>(missing);
        all.addAll(pieces);
        return all;
    }

    /** The turns, the first user's one behind the places that no turn has. */
    List<Turn> placedInTurns(List<Turn> turns) throws BadPayload {
        List<Piece> missing = missing(turns.stream().map(Turn::pieces).toList());
        if (missing.isEmpty()) {
            return turns;
        }
        List<Turn> all = new ArrayList<>(turns);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).role() == Role.USER) {
                all.set(i, new Turn(Role.USER, placed(all.get(i).pieces(), missing)));
                return all;
            }
        }
        throw new BadPayload(
                Reason.MISSING_FIELD,
                "%d of the sample's media without a place, and no user's turn to put them in"
                        .formatted(missing.size()));
    }

    private List<Piece> missing(List<List<Piece>> texts) {
        List<Piece> missing = new ArrayList<>();
        for (MediaKind kind : MediaKind.values()) {
            Optional<Marks> marks = style.marks(kind);
            if (marks.isPresent() && texts.stream().noneMatch(t -> places(t, kind, marks.get()))) {
                missing.addAll(Collections.nCopies(counts.of(kind), new Piece.Media(kind)));
            }
        }
        return missing;
    }

    /** Whether the pieces give a kind a place, be it written out in the model's own token. */
    private static boolean places(List<Piece> pieces, MediaKind kind, Marks marks) {
        return pieces.stream()
                .anyMatch(
                        piece ->
                                switch (piece) {
                                    case Piece.Media media -> media.kind() == kind;
                                    case Piece.Words(String text) -> text.contains(marks.pad());
                                });
    }

    /** The text of the pieces, places as the model writes them. */
    String written(List<Piece> pieces) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            switch (piece) {
                case Piece.Media(MediaKind kind) -> text.append(written(kind));
                case Piece.Words(String words) -> text.append(words);
            }
        }
        return text.toString();
    }

    private String written(MediaKind kind) {
        if (isText(kind)) {
            return Prompt.placeholder(kind);
        }
        return style.marks(kind)
                .map(marks -> marks.text(written.merge(kind, 1, Integer::sum)))
                .orElse("");
    }

    private boolean isText(MediaKind kind) {
        return kind != MediaKind.IMAGE && counts.of(kind) == 0;
    }

    /** The words alone. */
    String words(List<Piece> pieces) {
        return written(pieces.stream().filter(piece -> !isPlace(piece)).toList());
    }

    /** The places alone. */
    List<Piece> places(List<Piece> pieces) {
        return pieces.stream().filter(this::isPlace).toList();
    }

    private boolean isPlace(Piece piece) {
        return piece instanceof Piece.Media(MediaKind kind) && !isText(kind);
    }
}
