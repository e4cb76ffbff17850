package io.headrace.engine.recipe.schema;

import io.headrace.engine.recipe.schema.Value.Entry;
import io.headrace.engine.recipe.schema.Value.Fields;
import io.headrace.engine.recipe.schema.Value.Many;
import io.headrace.engine.recipe.schema.Value.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values for keys that are not written, and harmless ones for keys that had a problem. */
final class StandIn {
    private StandIn() {}

    /** The default of a key that is not written. */
    static Value unwritten(Key key, Place place, String path) {
        if (key.fallback() instanceof Key.Fallback.Fixed(String text)) {
            if (ScalarReader.read(text, false, key.type())
                    instanceof ScalarReader.Outcome.Read(Object data)) {
                return new Scalar(place, path, true, data);
            }
            throw new IllegalStateException("The default of " + path + " is not allowed: " + text);
        }
        return of(key.type(), place, path, true);
    }

    /** In the place of a value that had a problem. */
    static Value of(Type type, Place place, String path) {
        return of(type, place, path, false);
    }

    private static Value of(Type type, Place place, String path, boolean sound) {
        return switch (type) {
            case Type.Whole whole -> new Scalar(place, path, sound, whole.min());
            case Type.Real real -> new Scalar(place, path, sound, real.min());
            case Type.Text _, Type.Absent _ -> new Scalar(place, path, sound, "");
            case Type.Time time -> new Scalar(place, path, sound, time.minMillis());
            case Type.Choice choice ->
                    new Scalar(place, path, sound, choice.options().getFirst().value());
            case Type.Items _ -> new Many(place, path, sound, List.of());
            case Type.Named _ -> new Fields(place, path, sound, Map.of());
            case Type.Section section -> section(section, place, path, sound);
        };
    }

    private static Fields section(Type.Section type, Place place, String path, boolean sound) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Key key : type.keys()) {
            String keyPath = ValueReader.join(path, key.name());
            Value value =
                    key.fallback() instanceof Key.Fallback.Fixed
                            ? unwritten(key, place, keyPath)
                            : of(key.type(), place, keyPath, sound);
            entries.put(key.name(), new Entry(place, false, value));
        }
        return new Fields(place, path, sound, entries);
    }
}
