package io.headrace.sources.formats;

import java.util.List;

/**
 * The fields of a source that make parts. An entry may name alternatives, separated by {@code ;}, of which the first that a sample has
 * is taken.
 *
 * @param images fields of pictures in the order in which a sample shows them, each with its alternatives; empty: every picture
 *     field, in natural order of the names
 * @param text alternatives of the text's field; empty: no text
 */
public record FieldSelection(List<List<String>> images, List<String> text) {
    public FieldSelection {
        images = images.stream().map(List::copyOf).toList();
        text = List.copyOf(text);
    }

    /** The selection of a recipe's source. */
    public static FieldSelection of(List<String> images, String text) {
        return new FieldSelection(
                images.stream().map(FieldSelection::alternatives).toList(), alternatives(text));
    }

    private static List<String> alternatives(String entry) {
        return List.of(entry.split(";")).stream()
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    /** Whether pictures are found by their names. */
    public boolean anyPicture() {
        return images.isEmpty();
    }
}
