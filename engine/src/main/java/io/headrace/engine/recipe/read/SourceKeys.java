package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.SourceSpec;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.ScalarReader;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Value;
import io.headrace.engine.recipe.schema.Value.Entry;
import io.headrace.engine.recipe.schema.Value.Fields;
import io.headrace.engine.recipe.schema.Value.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The section {@code sources}. */
final class SourceKeys {
    /** Names become file names of indexes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    static final Type.Named TYPE =
            new Type.Named(
                    "NAME",
                    Type.Section.of(
                            Key.required(
                                            "path",
                                            new Type.Items(
                                                    new Type.Text(
                                                            "a path, braces and globs allowed"),
                                                    true),
                                            "Tar, Parquet, JSONL or JSON files, or folders. Braces"
                                                    + " (`web-{000..127}.tar`, `{a,b}`) and globs (`*`,"
                                                    + " `**`, `?`) are expanded; relative"
                                                    + " paths start from the recipe's folder.")
                                    .meant("paths", "url", "urls", "shards", "files", "data"),
                            media(
                                            "image",
                                            "every picture of the sample, by name, where none of `image`, `video` and `audio` is given",
                                            "Fields that hold the pictures, in the order in which a"
                                                    + " sample shows them: a suffix of tar members"
                                                    + " (`jpg`), a column (`image`, `image.bytes`) or a"
                                                    + " JSON field.")
                                    .meant("images", "image_key", "image_column"),
                            media(
                                            "video",
                                            "every video of the sample, by name, where the model takes videos",
                                            "Fields that hold the videos, likewise (`mp4`, `video`).")
                                    .meant("videos", "video_key", "video_column", "clip"),
                            media(
                                            "audio",
                                            "every recording of the sample, by name, where the model takes audio",
                                            "Fields that hold the recordings, likewise (`flac`, `audio.bytes`).")
                                    .meant("audios", "audio_key", "audio_column", "sound"),
                            Key.derived(
                                            "text",
                                            new Type.Text("the name of a field"),
                                            "no text",
                                            "Field that holds the caption or the conversation.")
                                    .meant("caption", "text_key", "text_column"),
                            Key.absent("where", "this version takes every sample of a source")));

    private SourceKeys() {}

    static List<SourceSpec> resolve(Fields sources, Fields mixture, Surroundings at) {
        if (sources.entries().isEmpty() && sources.sound()) {
            at.problems().error(sources.place(), sources.path(), "no source is given");
        }
        // Where no source is used at all, the mixture is what is wrong, and is told as such.
        boolean anyUsed =
                sources.entries().keySet().stream()
                        .anyMatch(name -> !MixtureKeys.leavesOut(mixture, name));
        List<SourceSpec> resolved = new ArrayList<>();
        for (Map.Entry<String, Entry> source : sources.entries().entrySet()) {
            String name = source.getKey();
            if (!NAME.matcher(name).matches()) {
                at.problems()
                        .error(
                                source.getValue().key(),
                                sources.path(),
                                ScalarReader.shown(name) + " is not a name for a source",
                                "",
                                "letters, digits, '_', '-' and '.', at most 64");
            }
            boolean leftOut = anyUsed && MixtureKeys.leavesOut(mixture, name);
            if (leftOut) {
                at.problems()
                        .warning(
                                source.getValue().key(),
                                sources.path() + "." + name,
                                "its weight is 0 in every stage, so it is never opened");
            }
            resolved.add(source(name, sources.fields(name), leftOut, at));
        }
        return resolved;
    }

    private static SourceSpec source(String name, Fields source, boolean leftOut, Surroundings at) {
        List<Value> paths = source.items("path");
        if (paths.isEmpty() && source.sound("path")) {
            at.problems()
                    .error(source.of("path").place(), source.path() + ".path", "an empty list");
        }
        for (Value path : paths) {
            if (path.sound() && !leftOut) {
                at.sources()
                        .problem(at.folder(), text(path))
                        .ifPresent(wrong -> at.problems().error(path.place(), path.path(), wrong));
            }
        }
        return new SourceSpec(
                name,
                paths.stream().map(SourceKeys::text).toList(),
                texts(source.items("image")),
                texts(source.items("video")),
                texts(source.items("audio")),
                source.text("text"));
    }

    private static Key media(String name, String otherwise, String doc) {
        return Key.derived(
                name, new Type.Items(new Type.Text("the name of a field"), true), otherwise, doc);
    }

    private static List<String> texts(List<Value> values) {
        return values.stream().map(SourceKeys::text).toList();
    }

    private static String text(Value value) {
        return value instanceof Scalar(_, _, _, String text) ? text : "";
    }
}
