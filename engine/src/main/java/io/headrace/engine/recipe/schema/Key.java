package io.headrace.engine.recipe.schema;

import java.util.List;

/**
 * One key of the recipe: everything that reading, messages and docs need to know of it.
 *
 * @param unit unit of its number; empty: none
 * @param doc what it means, one or two sentences
 * @param meant other words for it that people may write
 */
public record Key(
        String name, Type type, Fallback fallback, String unit, String doc, List<String> meant) {
    public Key {
        meant = List.copyOf(meant);
    }

    /** What holds where the key is not written. */
    public sealed interface Fallback {

        /** The key must be written. */
        record Required() implements Fallback {}

        /** As if this had been written. */
        record Fixed(String text) implements Fallback {}

        /** Depends on other keys; {@code doc} says how. */
        record Derived(String doc) implements Fallback {}

        /** The keys inside have their own. */
        record Inner() implements Fallback {}
    }

    public static Key required(String name, Type type, String doc) {
        return new Key(name, type, new Fallback.Required(), "", doc, List.of());
    }

    public static Key fixed(String name, Type type, String value, String doc) {
        return new Key(name, type, new Fallback.Fixed(value), "", doc, List.of());
    }

    public static Key derived(String name, Type type, String value, String doc) {
        return new Key(name, type, new Fallback.Derived(value), "", doc, List.of());
    }

    public static Key section(String name, Type.Section type, String doc) {
        return new Key(name, type, new Fallback.Inner(), "", doc, List.of());
    }

    public static Key absent(String name, String reason) {
        return derived(name, new Type.Absent(reason), "", "");
    }

    public Key in(String itsUnit) {
        return new Key(name, type, fallback, itsUnit, doc, meant);
    }

    public Key meant(String... words) {
        return new Key(name, type, fallback, unit, doc, List.of(words));
    }
}
