package io.headrace.engine.recipe;

import java.util.List;

/**
 * A named data set.
 *
 * @param name unique in the recipe
 * @param paths path patterns with braces and globs, not yet expanded
 * @param images fields that hold pictures, in the order in which a sample shows them; empty
 *     like the two below: every field of the kinds that the model takes, by name
 * @param videos fields that hold videos, likewise
 * @param audios fields that hold audio, likewise
 * @param text field that holds the caption or conversation; empty string: none
 */
public record SourceSpec(
        String name,
        List<String> paths,
        List<String> images,
        List<String> videos,
        List<String> audios,
        String text) {
    public SourceSpec {
        paths = List.copyOf(paths);
        images = List.copyOf(images);
        videos = List.copyOf(videos);
        audios = List.copyOf(audios);
    }
}
