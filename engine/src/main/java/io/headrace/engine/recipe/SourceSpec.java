package io.headrace.engine.recipe;

import java.util.List;

/**
 * A named data set.
 *
 * @param name unique in the recipe
 * @param paths path patterns with braces and globs, not yet expanded
 * @param images fields that hold pictures, in the order in which a sample shows them; empty: every picture field, by name
 * @param text field that holds the caption or conversation; empty string: none
 */
public record SourceSpec(String name, List<String> paths, List<String> images, String text) {
    public SourceSpec {
        paths = List.copyOf(paths);
        images = List.copyOf(images);
    }
}
