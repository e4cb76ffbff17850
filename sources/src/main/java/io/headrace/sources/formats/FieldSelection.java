package io.headrace.sources.formats;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.SourceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a source that make parts. A field may name alternatives, separated by {@code ;}, of which the first that a sample has
 * is taken.
 *
 * @param media fields of pictures, then of videos, then of audio, in the order in which a sample shows them; empty: every field that
 *     is named like media of the kinds below, in natural order of the names
 * @param byName kinds that are looked for by name where no field is given
 * @param text alternatives of the text's field; empty: no text
 */
public record FieldSelection(List<Field> media, List<MediaKind> byName, List<String> text) {
    public FieldSelection {
        media = List.copyOf(media);
        byName = List.copyOf(byName);
        text = List.copyOf(text);
    }

    /** A field of media and its alternatives. */
    public record Field(MediaKind kind, List<String> alternatives) {
        public Field {
            alternatives = List.copyOf(alternatives);
        }
    }

    /**
     * The selection of a recipe's source.
     *
     * @param byName kinds that the model takes
     */
    public static FieldSelection of(SourceSpec source, List<MediaKind> byName) {
        List<Field> media = new ArrayList<>();
        add(media, MediaKind.IMAGE, source.images());
        add(media, MediaKind.VIDEO, source.videos());
        add(media, MediaKind.AUDIO, source.audios());
        return new FieldSelection(media, byName, alternatives(source.text()));
    }

    /** Pictures and a text; no field of pictures: all that are named like one. */
    public static FieldSelection ofImages(List<String> images, String text) {
        List<Field> media = new ArrayList<>();
        add(media, MediaKind.IMAGE, images);
        return new FieldSelection(media, List.of(MediaKind.IMAGE), alternatives(text));
    }

    private static void add(List<Field> media, MediaKind kind, List<String> entries) {
        entries.forEach(entry -> media.add(new Field(kind, alternatives(entry))));
    }

    private static List<String> alternatives(String entry) {
        return List.of(entry.split(";")).stream()
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    /** Whether media are found by their names. */
    public boolean anyMedia() {
        return media.isEmpty();
    }

    /** The kind of media that a field of a member or file holds; empty: it is none that is wanted. */
    Optional<MediaKind> kindOf(String field) {
        if (anyMedia()) {
            return MemberName.kind(field).filter(byName::contains);
        }
        return media.stream()
                .filter(entry -> entry.alternatives.contains(field))
                .map(Field::kind)
                .findFirst();
    }
}
