package io.headrace.engine.recipe.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of the recipe after its type is checked. A value that is not sound had a problem, already reported, and holds
 * a harmless stand-in, so that the other checks can go on.
 */
public sealed interface Value {

    /** Where it is written; the section around it where it is not. */
    Place place();

    /** Its key from the root, such as {@code batch.samples}. */
    String path();

    boolean sound();

    /** A number, text or word. */
    record Scalar(Place place, String path, boolean sound, Object data) implements Value {}

    /** A list. */
    record Many(Place place, String path, boolean sound, List<Value> items) implements Value {
        public Many {
            items = List.copyOf(items);
        }
    }

    /** A mapping: all keys of a section, or the names that the user chose. */
    record Fields(Place place, String path, boolean sound, Map<String, Entry> entries)
            implements Value {
        public Fields {
            entries = new LinkedHashMap<>(entries);
        }

        /** Whether the user wrote the key. */
        public boolean has(String key) {
            Entry entry = entries.get(key);
            return entry != null && entry.written();
        }

        /** Whether none of the keys had a problem. */
        public boolean sound(String... keys) {
            for (String key : keys) {
                if (!of(key).sound()) {
                    return false;
                }
            }
            return true;
        }

        public Value of(String key) {
            Entry entry = entries.get(key);
            if (entry == null) {
                throw new IllegalArgumentException("No key " + key + " under " + path);
            }
            return entry.value();
        }

        /** Where the key is written; the place of the section where it is not. */
        public Place keyPlace(String key) {
            Entry entry = entries.get(key);
            return entry == null ? place : entry.key();
        }

        public long whole(String key) {
            return (Long) scalar(key);
        }

        public int small(String key) {
            return Math.toIntExact(whole(key));
        }

        public double real(String key) {
            return (Double) scalar(key);
        }

        public String text(String key) {
            return (String) scalar(key);
        }

        public <E extends Enum<E>> E choice(String key, Class<E> kind) {
            return kind.cast(scalar(key));
        }

        public Fields fields(String key) {
            return (Fields) of(key);
        }

        public List<Value> items(String key) {
            return ((Many) of(key)).items();
        }

        private Object scalar(String key) {
            return ((Scalar) of(key)).data();
        }
    }

    /**
     * A value under its key.
     *
     * @param key where the key is written; the place of the section where it is not
     */
    record Entry(Place key, boolean written, Value value) {}
}
