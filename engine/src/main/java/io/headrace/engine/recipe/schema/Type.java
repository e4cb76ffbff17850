package io.headrace.engine.recipe.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a key of the recipe may hold. */
public sealed interface Type {

    /** What is allowed, in words for messages and docs. */
    String allowed();

    /** A whole number; bounds included. */
    record Whole(long min, long max) implements Type {
        @Override
        public String allowed() {
            return max == Long.MAX_VALUE
                    ? "a whole number from " + min
                    : "a whole number from " + min + " to " + max;
        }
    }

    /** A finite number of at least {@code min}. */
    record Real(double min) implements Type {
        @Override
        public String allowed() {
            return "a number of at least " + (min == Math.rint(min) ? "" + (long) min : "" + min);
        }
    }

    /** Any text but the empty one; {@code what} says what it names. */
    record Text(String what) implements Type {
        @Override
        public String allowed() {
            return what;
        }
    }

    /** A length of time with its unit; bounds in milliseconds, included. */
    record Time(long minMillis, long maxMillis) implements Type {
        @Override
        public String allowed() {
            return "a time with its unit (ms, s, m or h) such as 500ms or 30s";
        }
    }

    /** One of the words of an enum. */
    record Choice(List<Option> options) implements Type {
        public Choice {
            options = List.copyOf(options);
        }

        /** One word and what it means. */
        public record Option(Enum<?> value, String doc) {
            public String word() {
                return Type.word(value);
            }
        }

        /** All constants of an enum in their order, with what each means. */
        public static <E extends Enum<E>> Choice of(Class<E> kind, String... docs) {
            E[] values = kind.getEnumConstants();
            if (values.length != docs.length) {
                throw new IllegalArgumentException("One doc for each word of " + kind);
            }
            return new Choice(
                    IntStream.range(0, docs.length)
                            .mapToObj(i -> new Option(values[i], docs[i]))
                            .toList());
        }

        public List<String> words() {
            return options.stream().map(Option::word).toList();
        }

        @Override
        public String allowed() {
            return String.join(", ", words());
        }
    }

    /** A mapping with fixed keys. A plain value stands for its key {@code brief}, where that is not empty. */
    record Section(String brief, List<Key> keys) implements Type {
        public Section {
            keys = List.copyOf(keys);
        }

        public static Section of(Key... keys) {
            return new Section("", List.of(keys));
        }

        public List<String> names() {
            List<String> names = new ArrayList<>();
            for (Key key : keys) {
                if (!(key.type() instanceof Absent)) {
                    names.add(key.name());
                }
            }
            return names;
        }

        public Key key(String name) {
            return keys.stream().filter(k -> k.name().equals(name)).findFirst().orElseThrow();
        }

        @Override
        public String allowed() {
            String mapping = "a mapping with the keys " + String.join(", ", names());
            return brief.isEmpty() ? mapping : key(brief).type().allowed() + "; or " + mapping;
        }
    }

    /** A list; a single value that is no list stands for a list of one where {@code single}. */
    record Items(Type item, boolean single) implements Type {
        @Override
        public String allowed() {
            String many = "a list, each " + item.allowed();
            return single ? item.allowed() + "; or a list of them" : many;
        }
    }

    /** A mapping whose names the user chooses. */
    record Named(String name, Type item) implements Type {
        @Override
        public String allowed() {
            return "a mapping from " + name + " to " + item.allowed();
        }
    }

    /** A key that other recipes know and this version does not have. */
    record Absent(String reason) implements Type {
        @Override
        public String allowed() {
            return "nothing";
        }
    }

    /** The word of a recipe for a constant of an enum. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Words in a row, as in a message. */
    static String words(List<? extends Enum<?>> values) {
        return values.stream().map(Type::word).collect(Collectors.joining(", "));
    }
}
