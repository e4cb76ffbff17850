package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Type;
import java.util.stream.Collectors;

/** Writes {@code docs/recipe.md} from the table of keys, so that the page cannot differ from the code. */
public final class RecipeDocs {
    private static final String HEAD =
            """
            # The recipe

            <!-- Written by `headrace recipe-docs > docs/recipe.md` from the table of keys; do not edit. -->

            A recipe is a YAML file that says which data a job reads, how it is mixed, processed and batched.
            `headrace lint RECIPE` checks one and names every problem with its line and column. A key that is not
            on this page is an error, and so is a key written twice. Anchors, aliases and `<<` work. Relative paths
            start from the recipe's folder. Numbers may have `_` between digits. A small one:

            ```yaml
            seed: 17
            sources:
              web: {path: "data/web-{000000..000127}.tar", image: jpg, text: txt}
            process: {model: clip, tokenizer: tokenizer.json}
            batch: {samples: 512}
            topology: {dp: 8}
            ```

            """;

    private RecipeDocs() {}

    /** The whole page. */
    public static String markdown() {
        StringBuilder out = new StringBuilder(HEAD);
        out.append("| key | meaning |\n| --- | --- |\n");
        for (Key key : RecipeKeys.ROOT.keys()) {
            out.append(String.format("| [`%s`](#%s) | %s |%n", key.name(), key.name(), key.doc()));
        }
        for (Key key : RecipeKeys.ROOT.keys()) {
            out.append("\n## ").append(key.name()).append("\n\n");
            if (!(key.type() instanceof Type.Section || key.type() instanceof Type.Named)) {
                table(out);
                row(out, key, key.name());
                continue;
            }
            out.append(key.doc()).append(need(key)).append("\n\n");
            table(out);
            rows(out, key.type(), key.name());
            if (key.name().equals("process")) {
                models(out);
            }
        }
        return out.toString().replace("\r\n", "\n");
    }

    private static String need(Key key) {
        return key.fallback() instanceof Key.Fallback.Required ? " This key is required." : "";
    }

    private static void table(StringBuilder out) {
        out.append("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    }

    /** One row for each key below a mapping or a list of mappings. */
    private static void rows(StringBuilder out, Type type, String path) {
        switch (type) {
            case Type.Section section -> {
                for (Key key : section.keys()) {
                    if (!(key.type() instanceof Type.Absent)) {
                        row(out, key, path + "." + key.name());
                        rows(out, key.type(), path + "." + key.name());
                    }
                }
            }
            case Type.Named named -> rows(out, named.item(), path + "." + named.name());
            case Type.Items items -> rows(out, items.item(), path + "[]");
            case Type.Whole _, Type.Real _, Type.Text _, Type.Time _, Type.Choice _ -> {}
            case Type.Absent _ -> {}
        }
    }

    private static void row(StringBuilder out, Key key, String path) {
        out.append("| `").append(path).append("` | ").append(value(key.type()));
        if (!key.unit().isEmpty()) {
            out.append(", in ").append(key.unit());
        }
        out.append(" | ").append(fallback(key)).append(" | ").append(key.doc());
        if (key.type() instanceof Type.Choice choice) {
            for (Type.Choice.Option option : choice.options()) {
                out.append("<br>`").append(option.word()).append("`: ");
                out.append(option.doc().replace("|", "\\|"));
            }
        }
        out.append(" |\n");
    }

    private static String value(Type type) {
        return switch (type) {
            case Type.Choice choice ->
                    choice.words().stream()
                            .map(w -> "`" + w + "`")
                            .collect(Collectors.joining(", "));
            case Type.Section section when section.brief().isEmpty() -> "a mapping";
            case Type.Section section ->
                    value(section.key(section.brief()).type()) + ", or a mapping";
            case Type.Items(Type.Section _, _) -> "a list of mappings";
            case Type.Items items ->
                    items.single() ? value(items.item()) + ", or a list" : items.allowed();
            case Type.Named named ->
                    "a mapping from " + named.name() + " to " + value(named.item());
            case Type.Whole _, Type.Real _, Type.Text _, Type.Time _, Type.Absent _ ->
                    type.allowed();
        };
    }

    private static String fallback(Key key) {
        return switch (key.fallback()) {
            case Key.Fallback.Required _ -> "required";
            case Key.Fallback.Fixed(String text) -> "`" + text + "`";
            case Key.Fallback.Derived(String doc) -> doc;
            case Key.Fallback.Inner _ -> "as its keys say";
        };
    }

    private static void models(StringBuilder out) {
        out.append("\nWhat each model takes and has by default:\n\n");
        out.append(
                "| model | `process.image` | `process.video` | `process.audio` | `max_tokens` | `template` | `batch` |\n");
        out.append("| --- | --- | --- | --- | --- | --- | --- |\n");
        for (ModelName model : ModelName.values()) {
            String image =
                    model.imageKeys().stream()
                            .map(k -> "`" + k + ": " + model.imageDefault(k) + "`")
                            .collect(Collectors.joining(", "));
            String video =
                    model.videoKeys().stream()
                            .filter(k -> !model.videoDefault(k).equals("0"))
                            .map(k -> "`" + k + ": " + model.videoDefault(k) + "`")
                            .collect(Collectors.joining(", "));
            String audio =
                    model.audioKeys().stream()
                            .map(k -> "`" + k + ": " + ModelName.audioDefault(k) + "`")
                            .collect(Collectors.joining(", "));
            out.append(
                    String.format(
                            "| `%s` | %s | %s | %s | %d | `%s` | %s |%n",
                            Type.word(model),
                            image.isEmpty() ? "none" : image,
                            video.isEmpty() ? "none" : video,
                            audio.isEmpty() ? "none" : audio,
                            model.maxTokens(),
                            model.template(),
                            model.packs() ? "`samples` or `packs`" : "`samples`"));
        }
    }
}
