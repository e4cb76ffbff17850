package io.headrace.engine.recipe.schema;

import io.headrace.engine.recipe.schema.Value.Entry;
import io.headrace.engine.recipe.schema.Value.Fields;
import io.headrace.engine.recipe.schema.Value.Many;
import io.headrace.engine.recipe.schema.Value.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads nodes by the table of keys: types, unknown and missing keys, defaults. It walks only as deep as the table does,
 * so aliases that contain themselves end too. One use, one thread.
 */
public final class ValueReader {
    /** Of a list; a recipe that names more files names them by a pattern. */
    private static final int MOST_ITEMS = 100_000;

    /** Of a mapping whose names the user chooses. */
    private static final int MOST_NAMES = 4096;

    private final Lines lines;
    private final Problems problems;
    private final MappingReader mappings;
    private final Type.Section root;

    /** {@code root} is the table of all keys. */
    public ValueReader(Type.Section root, Lines lines, Problems problems) {
        this.root = root;
        this.lines = lines;
        this.problems = problems;
        this.mappings = new MappingReader(lines, problems);
    }

    /** The whole tree, complete with defaults. */
    public Fields read(Node node) {
        return (Fields) read(node, root, lines.at(1, 1), "");
    }

    /** {@code key} is where a section is said to be; other values are where they are written. */
    private Value read(Node node, Type type, Place key, String path) {
        return switch (type) {
            case Type.Section section -> section(node, section, key, path);
            case Type.Named named -> named(node, named, key, path);
            case Type.Items items -> items(node, items, path);
            case Type.Absent(String reason) -> {
                problems.error(key, path, reason);
                yield StandIn.of(type, key, path);
            }
            case Type.Whole _, Type.Real _, Type.Text _, Type.Time _, Type.Choice _ ->
                    scalar(node, type, path);
        };
    }

    private Value scalar(Node node, Type type, String path) {
        Place place = lines.of(node);
        if (!(node instanceof ScalarNode plain)) {
            wrong(place, path, kind(node) + " where a single value is wanted", "", type);
            return StandIn.of(type, place, path);
        }
        boolean quoted = plain.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
        if (!quoted && Tag.NULL.equals(plain.getTag())) {
            wrong(place, path, "no value is given", "", type);
            return StandIn.of(type, place, path);
        }
        return switch (ScalarReader.read(plain.getValue(), quoted, type)) {
            case ScalarReader.Outcome.Read(Object data) -> new Scalar(place, path, true, data);
            case ScalarReader.Outcome.Wrong(String message, String nearest) -> {
                wrong(place, path, message, nearest, type);
                yield StandIn.of(type, place, path);
            }
        };
    }

    private Value items(Node node, Type.Items type, String path) {
        Place place = lines.of(node);
        if (type.single() && node instanceof ScalarNode) {
            Value only = scalar(node, type.item(), path);
            return new Many(place, path, only.sound(), List.of(only));
        }
        if (!(node instanceof SequenceNode list)) {
            wrong(place, path, kind(node) + " where a list is wanted", "", type);
            return StandIn.of(type, place, path);
        }
        if (list.getValue().size() > MOST_ITEMS) {
            return tooMany(list.getValue().size(), MOST_ITEMS, type, place, path);
        }
        List<Value> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            String itemPath = path + "[" + items.size() + "]";
            items.add(read(item, type.item(), lines.of(item), itemPath));
        }
        return new Many(place, path, items.stream().allMatch(Value::sound), items);
    }

    private Value named(Node node, Type.Named type, Place key, String path) {
        if (!(node instanceof MappingNode mapping)) {
            wrong(lines.of(node), path, kind(node) + " where a mapping is wanted", "", type);
            return StandIn.of(type, key, path);
        }
        Map<String, MappingReader.Found> found = mappings.entries(mapping, path);
        if (found.size() > MOST_NAMES) {
            return tooMany(found.size(), MOST_NAMES, type, key, path);
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        found.forEach((name, f) -> entries.put(name, written(f, type.item(), join(path, name))));
        return new Fields(key, path, allSound(entries), entries);
    }

    private Value tooMany(int count, int most, Type type, Place place, String path) {
        problems.error(place, path, count + " entries, more than " + most);
        return StandIn.of(type, place, path);
    }

    private Value section(Node node, Type.Section type, Place key, String path) {
        if (node instanceof ScalarNode && !type.brief().isEmpty()) {
            Key brief = type.key(type.brief());
            Value value = scalar(node, brief.type(), path);
            return complete(type, key, path, Map.of(brief.name(), new Entry(key, true, value)));
        }
        if (!(node instanceof MappingNode mapping)) {
            wrong(lines.of(node), path, kind(node) + " where a mapping is wanted", "", type);
            return StandIn.of(type, key, path);
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        boolean known = true;
        for (Map.Entry<String, MappingReader.Found> e :
                mappings.entries(mapping, path).entrySet()) {
            String name = e.getKey();
            MappingReader.Found found = e.getValue();
            if (type.keys().stream().noneMatch(k -> k.name().equals(name))) {
                unknown(type, name, found.place(), join(path, name));
                known = false;
            } else {
                entries.put(name, written(found, type.key(name).type(), join(path, name)));
            }
        }
        Fields complete = complete(type, key, path, entries);
        return known ? complete : new Fields(key, path, false, complete.entries());
    }

    private void unknown(Type.Section type, String name, Place place, String path) {
        problems.error(
                place,
                path,
                "unknown key",
                Suggestion.of(name, type, root),
                String.join(", ", type.names()));
    }

    private Fields complete(
            Type.Section type, Place place, String path, Map<String, Entry> written) {
        Map<String, Entry> all = new LinkedHashMap<>();
        for (Key key : type.keys()) {
            Entry entry = written.get(key.name());
            String keyPath = join(path, key.name());
            all.put(
                    key.name(),
                    entry == null ? new Entry(place, false, missing(key, place, keyPath)) : entry);
        }
        return new Fields(place, path, allSound(all), all);
    }

    private Value missing(Key key, Place place, String path) {
        if (key.fallback() instanceof Key.Fallback.Required) {
            wrong(place, path, "this key is missing", "", key.type());
            return StandIn.of(key.type(), place, path);
        }
        if (key.fallback() instanceof Key.Fallback.Inner
                && key.type() instanceof Type.Section inner) {
            return complete(inner, place, path, Map.of());
        }
        return StandIn.unwritten(key, place, path);
    }

    private Entry written(MappingReader.Found found, Type type, String path) {
        return new Entry(found.place(), true, read(found.node(), type, found.place(), path));
    }

    private void wrong(Place place, String path, String message, String nearest, Type type) {
        problems.error(place, path, message, nearest, type.allowed());
    }

    private static boolean allSound(Map<String, Entry> entries) {
        return entries.values().stream().allMatch(e -> e.value().sound());
    }

    public static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String kind(Node node) {
        return switch (node) {
            case MappingNode _ -> "a mapping";
            case SequenceNode _ -> "a list";
            case ScalarNode s when Tag.NULL.equals(s.getTag()) -> "no value";
            case ScalarNode s -> ScalarReader.shown(s.getValue());
            default -> "something else";
        };
    }
}
