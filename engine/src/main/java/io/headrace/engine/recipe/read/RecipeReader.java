package io.headrace.engine.recipe.read;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.DeliverySpec;
import io.headrace.engine.recipe.ErrorSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.recipe.SourceSpec;
import io.headrace.engine.recipe.schema.Document;
import io.headrace.engine.recipe.schema.Place;
import io.headrace.engine.recipe.schema.Problems;
import io.headrace.engine.recipe.schema.RecipeProblem;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Value;
import io.headrace.engine.recipe.schema.Value.Fields;
import io.headrace.engine.recipe.schema.ValueReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads a recipe: the file once into resolved types, or all that is wrong with it. Immutable; any thread.
 *
 * @param sources looks at the data that the recipe names
 * @param ranks data-parallel ranks in the place of {@code topology.dp}; 0: as the recipe says
 */
public record RecipeReader(SourceCheck sources, int ranks) {

    /** Reads recipes as they are and looks at no data. */
    public RecipeReader() {
        this(SourceCheck.NONE, 0);
    }

    public RecipeReader {
        if (ranks < 0) {
            throw new IllegalArgumentException("Fewer than 0 ranks");
        }
    }

    /** What came of a recipe. */
    public sealed interface Outcome {
        List<RecipeProblem> problems();

        /** A sound recipe; its problems are warnings. */
        record Accepted(Recipe recipe, List<RecipeProblem> problems) implements Outcome {
            public Accepted {
                problems = List.copyOf(problems);
            }
        }

        /** A recipe with at least one error. */
        record Refused(List<RecipeProblem> problems) implements Outcome {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Reads a file; one that cannot be read is a problem like the others. */
    public Outcome read(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.getParent() == null ? absolute : absolute.getParent();
        Problems problems = new Problems();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Document.LARGEST_BYTES + 1);
            return read(file.toString(), bytes, folder);
        } catch (NoSuchFileException e) {
            problems.error(Place.ofFile(file.toString()), "", "no such file");
        } catch (IOException e) {
            String reason =
                    Files.isDirectory(file) ? "a folder, not a file" : "cannot be read: " + e;
            problems.error(Place.ofFile(file.toString()), "", reason);
        }
        return new Outcome.Refused(problems.sorted());
    }

    /**
     * Reads the bytes of a recipe.
     *
     * @param file how messages name it
     * @param folder where relative paths start from
     */
    public Outcome read(String file, byte[] bytes, Path folder) {
        Problems problems = new Problems();
        if (bytes.length > Document.LARGEST_BYTES) {
            problems.error(
                    Place.ofFile(file),
                    "",
                    "larger than " + Document.LARGEST_BYTES + " bytes, not a recipe");
            return new Outcome.Refused(problems.sorted());
        }
        Surroundings at = new Surroundings(folder, sources, ranks, problems);
        Optional<Recipe> recipe =
                Document.parse(file, bytes, problems)
                        .map(
                                d ->
                                        new ValueReader(RecipeKeys.ROOT, d.lines(), problems)
                                                .read(d.root()))
                        .map(root -> resolve(root, at));
        return recipe.isPresent() && !problems.hasErrors()
                ? new Outcome.Accepted(recipe.get(), problems.sorted())
                : new Outcome.Refused(problems.sorted());
    }

    private static Recipe resolve(Fields root, Surroundings at) {
        Problems problems = at.problems();
        List<SourceSpec> sources =
                SourceKeys.resolve(root.fields("sources"), root.fields("mixture"), at);
        Exhaustion exhaustion = OrderKeys.exhaustion(root, problems);
        BatchSpec batch = BatchKeys.resolve(root.fields("batch"), root.fields("topology"), at);
        Recipe recipe =
                new Recipe(
                        at.folder(),
                        indexFolder(root, at),
                        root.whole("seed"),
                        sources,
                        MixtureKeys.resolve(
                                root.fields("mixture"),
                                root.fields("sources"),
                                exhaustion,
                                problems),
                        OrderKeys.resolve(root, problems),
                        new ProcessResolver(root.fields("process"), root.fields("batch"), at)
                                .resolve(batch),
                        batch,
                        BatchKeys.topology(root.fields("topology"), at),
                        PlanKeys.resolve(root.fields("plan"), problems),
                        errors(root.fields("errors")),
                        delivery(root.fields("delivery")));
        checkTexts(root, recipe, problems);
        checkMedia(root, recipe, problems);
        return recipe;
    }

    private static Path indexFolder(Fields root, Surroundings at) {
        try {
            return at.folder().resolve(root.text("index")).normalize();
        } catch (InvalidPathException e) {
            Value index = root.of("index");
            at.problems().error(index.place(), index.path(), "not a path: " + e.getReason());
            return at.folder();
        }
    }

    /** A text model needs the text of every source; ids need a tokenizer. */
    private static void checkTexts(Fields root, Recipe recipe, Problems problems) {
        boolean textOnly = recipe.process().model() instanceof Model.TextOnly;
        boolean ids = root.fields("process").has("tokenizer");
        for (SourceSpec source : recipe.sources()) {
            Fields fields = root.fields("sources").fields(source.name());
            if (textOnly && root.fields("process").sound("model") && !fields.has("text")) {
                problems.error(
                        fields.place(),
                        fields.path() + ".text",
                        "the model 'text' needs the field that holds the text");
            } else if (!textOnly && !ids && fields.has("text")) {
                problems.warning(
                        fields.of("text").place(),
                        fields.path() + ".text",
                        "no ids are made of this text, as process.tokenizer is missing");
            }
        }
    }

    /** A source's fields of a kind that the model does not take. */
    private static void checkMedia(Fields root, Recipe recipe, Problems problems) {
        Model model = recipe.process().model();
        if (!root.fields("process").sound("model")) {
            return;
        }
        for (SourceSpec source : recipe.sources()) {
            Fields fields = root.fields("sources").fields(source.name());
            for (MediaKind kind : MediaKind.values()) {
                String key = Type.word(kind);
                if (fields.has(key) && !model.kinds().contains(kind)) {
                    problems.error(
                            fields.keyPlace(key),
                            fields.path() + "." + key,
                            "the model takes no " + key,
                            "",
                            model.kinds().isEmpty() ? "text alone" : Type.words(model.kinds()));
                }
            }
        }
    }

    private static ErrorSpec errors(Fields errors) {
        return new ErrorSpec(
                errors.choice("policy", ErrorSpec.Policy.class),
                errors.small("stop_after_consecutive"));
    }

    private static DeliverySpec delivery(Fields delivery) {
        return new DeliverySpec(
                delivery.small("ready_ahead"),
                delivery.small("decode_threads"),
                delivery.choice("schedule", DeliverySpec.Schedule.class),
                delivery.whole("wait_warning"));
    }
}
