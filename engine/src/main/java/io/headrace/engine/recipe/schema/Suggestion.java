package io.headrace.engine.recipe.schema;

import java.util.Locale;

/** The key that was probably meant by an unknown one: a sibling, another word for one, or a key of another section. */
final class Suggestion {
    private Suggestion() {}

    /** Empty where nothing is near. */
    static String of(String written, Type.Section siblings, Type.Section root) {
        String plain = plain(written);
        for (Key key : siblings.keys()) {
            if (means(key, plain)) {
                return key.name();
            }
        }
        String near = Nearest.of(written, siblings.names());
        return near.isEmpty() ? elsewhere(plain, root, "") : near;
    }

    private static boolean means(Key key, String plain) {
        return !(key.type() instanceof Type.Absent)
                && (plain(key.name()).equals(plain) || key.meant().contains(plain));
    }

    private static String elsewhere(String plain, Type type, String path) {
        return switch (type) {
            case Type.Section section -> {
                for (Key key : section.keys()) {
                    String keyPath = ValueReader.join(path, key.name());
                    if (means(key, plain)) {
                        yield keyPath;
                    }
                    String below = elsewhere(plain, key.type(), keyPath);
                    if (!below.isEmpty()) {
                        yield below;
                    }
                }
                yield "";
            }
            case Type.Named named -> elsewhere(plain, named.item(), path + "." + named.name());
            case Type.Items items -> elsewhere(plain, items.item(), path + "[]");
            case Type.Whole _,
                    Type.Real _,
                    Type.Text _,
                    Type.Time _,
                    Type.Choice _,
                    Type.Absent _ ->
                    "";
        };
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
