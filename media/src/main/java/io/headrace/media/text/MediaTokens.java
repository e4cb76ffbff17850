package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.text.MediaStyle.Marks;
import io.headrace.media.text.token.Tokenizer;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The ids that stand around and for media in a vocabulary. */
final class MediaTokens {

    /** Stands for a mark that the style does not write. */
    static final int NONE = -1;

    private final Map<MediaKind, Ids> kinds = new EnumMap<>(MediaKind.class);

    /** The ids of a place. */
    record Ids(int start, int pad, int end) {
        boolean contains(int id) {
            return id == start || id == pad || id == end;
        }
    }

    /**
     * The ids of a vocabulary. A vocabulary without the token of videos is one of a model without them.
     *
     * @throws IllegalArgumentException if it lacks a token of pictures or audio; the message names it
     */
    static MediaTokens of(Tokenizer tokenizer, MediaStyle style) {
        MediaTokens tokens = new MediaTokens();
        for (MediaKind kind : MediaKind.values()) {
            Marks marks = style.marks(kind).orElse(null);
            if (marks != null
                    && (kind != MediaKind.VIDEO || tokenizer.id(marks.pad()).isPresent())) {
                tokens.kinds.put(
                        kind,
                        new Ids(
                                needed(tokenizer, marks.start()),
                                needed(tokenizer, marks.pad()),
                                needed(tokenizer, marks.end())));
            }
        }
        return tokens;
    }

    static int needed(Tokenizer tokenizer, String token) {
        if (token.isEmpty()) {
            return NONE;
        }
        OptionalInt id = tokenizer.id(token);
        return id.orElseThrow(
                () -> new IllegalArgumentException("The vocabulary has no token " + token));
    }

    /** The ids of a kind; null where the vocabulary has none. */
    @Nullable Ids of(MediaKind kind) {
        return kinds.get(kind);
    }

    /** The kind of which an id is the repeated token; null for any other id. */
    @Nullable MediaKind padOf(int id) {
        for (Map.Entry<MediaKind, Ids> entry : kinds.entrySet()) {
            if (entry.getValue().pad == id) {
                return entry.getKey();
            }
        }
        return null;
    }

    boolean contains(int id) {
        return kinds.values().stream().anyMatch(ids -> ids.contains(id));
    }
}
