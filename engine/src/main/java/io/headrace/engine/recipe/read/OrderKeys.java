package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.MixtureSpec.Exhaustion;
import io.headrace.engine.recipe.OrderSpec;
import io.headrace.engine.recipe.OrderSpec.Kind;
import io.headrace.engine.recipe.OrderSpec.Last;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Place;
import io.headrace.engine.recipe.schema.Problems;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Type.Choice;
import io.headrace.engine.recipe.schema.Value.Fields;
import java.util.List;

/** The keys {@code order}, {@code epochs} and {@code last}, and how they go together with {@code mixture.exhausted}. */
final class OrderKeys {
    static final Key ORDER =
            Key.section(
                    "order",
                    new Type.Section(
                            "kind",
                            List.of(
                                    Key.fixed(
                                            "kind",
                                            Choice.of(
                                                    Kind.class,
                                                    "seeded block shuffle, another one each epoch",
                                                    "the order of the index"),
                                            "shuffle",
                                            "Order within a source. `order: sequential` is short for"
                                                    + " `order: {kind: sequential}`."),
                                    Key.fixed(
                                                    "block",
                                                    new Type.Whole(1, 1 << 20),
                                                    "256",
                                                    "Neighbours in the index that are shuffled as one,"
                                                            + " so that reads stay near each other.")
                                            .in("samples"),
                                    Key.fixed(
                                                    "window",
                                                    new Type.Whole(1, 1 << 16),
                                                    "64",
                                                    "Shuffled blocks whose samples are then mixed"
                                                            + " with each other.")
                                            .in("blocks"))),
                    "Order within a source.");

    static final Key EPOCHS =
            Key.derived(
                            "epochs",
                            new Type.Whole(0, 1_000_000),
                            "`0`; `1` where `exhausted` is `stop_first` or `stop_all`",
                            "Passes over each source; 0 means no end.")
                    .in("passes")
                    .meant("epoch", "num_epochs", "max_epochs");

    static final Key LAST =
            Key.fixed(
                            "last",
                            Choice.of(
                                    Last.class,
                                    "it is left out",
                                    "it is filled with masked samples, so that all ranks take the same"
                                            + " number of steps and each sample is seen"),
                            "drop",
                            "What becomes of a last batch that is short.")
                    .meant("drop_last");

    private OrderKeys() {}

    static OrderSpec resolve(Fields root, Problems problems) {
        Fields order = root.fields("order");
        if (order.sound("kind") && order.choice("kind", Kind.class) == Kind.SEQUENTIAL) {
            for (String key : List.of("block", "window")) {
                if (order.has(key)) {
                    problems.error(
                            order.keyPlace(key),
                            order.path() + "." + key,
                            "a sequential order is not shuffled, so this key has no effect");
                }
            }
        }
        return new OrderSpec(
                order.choice("kind", Kind.class),
                order.small("block"),
                order.small("window"),
                epochs(root),
                root.choice("last", Last.class));
    }

    private static int epochs(Fields root) {
        if (root.has("epochs")) {
            return root.small("epochs");
        }
        Fields mixture = root.fields("mixture");
        boolean ends =
                mixture.has("exhausted")
                        && mixture.choice("exhausted", Exhaustion.class) != Exhaustion.REPEAT;
        return ends ? 1 : 0;
    }

    /** Refuses passes that end with sources that do not, and the other way round. */
    static Exhaustion exhaustion(Fields root, Problems problems) {
        Fields mixture = root.fields("mixture");
        boolean finite = root.has("epochs") && root.whole("epochs") > 0;
        if (!mixture.has("exhausted")) {
            return finite ? Exhaustion.STOP_ALL : Exhaustion.REPEAT;
        }
        Exhaustion written = mixture.choice("exhausted", Exhaustion.class);
        if (root.has("epochs") && root.sound("epochs") && mixture.sound("exhausted")) {
            Place place = mixture.of("exhausted").place();
            String path = mixture.path() + ".exhausted";
            if (finite && written == Exhaustion.REPEAT) {
                problems.error(
                        place,
                        path,
                        "'repeat' never ends, but epochs is " + root.whole("epochs"),
                        "",
                        "stop_first, stop_all; or epochs: 0");
            } else if (!finite && written != Exhaustion.REPEAT) {
                problems.error(
                        place,
                        path,
                        "no source ends, as epochs is 0",
                        "",
                        "repeat; or epochs of at least 1");
            }
        }
        return written;
    }
}
