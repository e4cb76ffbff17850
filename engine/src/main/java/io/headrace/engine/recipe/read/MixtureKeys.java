package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.MixtureSpec;
import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.MixtureSpec.Ramp;
import io.headrace.engine.recipe.MixtureSpec.Stage;
import io.headrace.engine.recipe.MixtureSpec.Unit;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Nearest;
import io.headrace.engine.recipe.schema.Place;
import io.headrace.engine.recipe.schema.Problems;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Type.Choice;
import io.headrace.engine.recipe.schema.Value;
import io.headrace.engine.recipe.schema.Value.Fields;
import io.headrace.engine.recipe.schema.ValueReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The section {@code mixture}. */
final class MixtureKeys {
    private static final int MOST_STAGES = 1000;
    private static final int MOST_SHOWN = 8;

    private static final Type.Named WEIGHTS = new Type.Named("SOURCE", new Type.Real(0));

    static final Type.Section TYPE =
            Type.Section.of(
                    Key.fixed(
                            "unit",
                            Choice.of(Unit.class, "weights count samples", "weights count tokens"),
                            "samples",
                            "What the weights count."),
                    Key.derived(
                                    "weights",
                                    WEIGHTS,
                                    "1 for a single source",
                                    "One weight for each source, for all steps: short for one stage."
                                            + " Weights need not add up to 1; a source of weight 0 is"
                                            + " never opened.")
                            .meant("weight", "ratios", "proportions", "probabilities"),
                    Key.derived(
                            "stages",
                            new Type.Items(
                                    Type.Section.of(
                                            Key.required(
                                                            "from",
                                                            new Type.Whole(0, Long.MAX_VALUE),
                                                            "First step of the stage; 0 for the"
                                                                    + " first stage, then rising.")
                                                    .in("steps")
                                                    .meant("step", "start", "from_step"),
                                            Key.required(
                                                            "weights",
                                                            WEIGHTS,
                                                            "One weight for each source.")
                                                    .meant("weight"),
                                            Key.fixed(
                                                    "ramp",
                                                    Choice.of(
                                                            Ramp.class,
                                                            "the weights change at once",
                                                            "the weights move in a line from those"
                                                                    + " of the stage before, reached at"
                                                                    + " this stage's first step"),
                                                    "step",
                                                    "How the weights get here from the stage"
                                                            + " before.")),
                                    false),
                            "one stage of `weights`",
                            "Weights that change with the steps."),
                    Key.derived(
                            "exhausted",
                            Choice.of(
                                    Exhaustion.class,
                                    "it starts again, in another order",
                                    "the job ends with the first source that is done",
                                    "the others go on without it, the job ends with the last"),
                            "`repeat`; `stop_all` where `epochs` is 1 or more",
                            "What happens when a source has no unseen sample left."));

    private MixtureKeys() {}

    /** Whether every stage says that a source has weight 0. One that does is never opened, so its data may be missing. */
    static boolean leavesOut(Fields mixture, String source) {
        List<Fields> weights = new ArrayList<>();
        if (mixture.has("weights")) {
            weights.add(mixture.fields("weights"));
        }
        for (Value stage : mixture.items("stages")) {
            weights.add(((Fields) stage).fields("weights"));
        }
        return !weights.isEmpty()
                && weights.stream()
                        .allMatch(w -> w.has(source) && w.sound(source) && w.real(source) == 0);
    }

    static MixtureSpec resolve(
            Fields mixture, Fields sources, Exhaustion exhaustion, Problems problems) {
        Unit unit = mixture.choice("unit", Unit.class);
        List<Stage> stages = stages(mixture, sources, problems);
        return new MixtureSpec(unit, stages, exhaustion);
    }

    private static List<Stage> stages(Fields mixture, Fields sources, Problems problems) {
        Collection<String> names = sources.entries().keySet();
        if (mixture.has("stages")) {
            if (mixture.has("weights")) {
                problems.error(
                        mixture.keyPlace("weights"),
                        mixture.path() + ".weights",
                        "both 'weights' and 'stages' are given, keep one");
            }
            return listed(mixture, names, problems);
        }
        if (mixture.has("weights")) {
            return List.of(
                    new Stage(0, weights(mixture.fields("weights"), names, problems), Ramp.STEP));
        }
        if (names.size() > 1 && mixture.sound() && sources.sound()) {
            problems.error(
                    mixture.place(),
                    mixture.path(),
                    "weights are missing for the sources " + some(names));
        }
        return List.of(new Stage(0, names.stream().map(_ -> 1.0).toList(), Ramp.STEP));
    }

    private static List<Stage> listed(Fields mixture, Collection<String> names, Problems problems) {
        List<Stage> stages = new ArrayList<>();
        if (mixture.items("stages").isEmpty() && mixture.sound("stages")) {
            problems.error(
                    mixture.of("stages").place(), mixture.path() + ".stages", "an empty list");
        }
        if (mixture.items("stages").size() > MOST_STAGES) {
            problems.error(
                    mixture.of("stages").place(),
                    mixture.path() + ".stages",
                    mixture.items("stages").size() + " stages, more than " + MOST_STAGES);
            return stages;
        }
        long before = -1;
        for (Value item : mixture.items("stages")) {
            Fields stage = (Fields) item;
            if (stage.sound("from")) {
                checkStart(stage, before, problems);
                before = stage.whole("from");
            }
            List<Double> weights = weights(stage.fields("weights"), names, problems);
            stages.add(new Stage(stage.whole("from"), weights, stage.choice("ramp", Ramp.class)));
        }
        return stages;
    }

    private static void checkStart(Fields stage, long before, Problems problems) {
        long from = stage.whole("from");
        String path = stage.path() + ".from";
        Place place = stage.of("from").place();
        if (before < 0 && stage.path().endsWith("[0]")) {
            if (from != 0) {
                problems.error(place, path, "the first stage starts at " + from, "0", "0");
            } else if (stage.choice("ramp", Ramp.class) == Ramp.LINEAR) {
                problems.warning(
                        stage.of("ramp").place(),
                        stage.path() + ".ramp",
                        "no stage lies before the first, so there is nothing to move from");
            }
        } else if (from <= before) {
            problems.error(
                    place,
                    path,
                    "stages must rise, but " + from + " follows " + before,
                    "",
                    "a whole number from " + (before + 1));
        }
    }

    /** One weight a source, in the order of the sources. */
    private static List<Double> weights(
            Fields weights, Collection<String> names, Problems problems) {
        for (String written : weights.entries().keySet()) {
            if (!names.contains(written) && !problems.isFull()) {
                problems.error(
                        weights.keyPlace(written),
                        ValueReader.join(weights.path(), written),
                        "no source has this name",
                        Nearest.of(written, names),
                        some(names));
            }
        }
        List<String> missing = names.stream().filter(name -> !weights.has(name)).toList();
        if (!missing.isEmpty() && weights.sound()) {
            problems.error(
                    weights.place(),
                    weights.path(),
                    "no weight for " + some(missing),
                    "",
                    missing.getFirst() + ": 0 to leave it out");
        }
        List<Double> inOrder =
                names.stream().map(name -> weights.has(name) ? weights.real(name) : 1.0).toList();
        if (weights.sound() && !inOrder.isEmpty() && inOrder.stream().allMatch(w -> w == 0)) {
            problems.error(weights.place(), weights.path(), "all weights are 0");
        }
        return inOrder;
    }

    private static String some(Collection<String> names) {
        String first = names.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
        int more = names.size() - MOST_SHOWN;
        return more > 0 ? first + " and " + more + " more" : first;
    }
}
