package io.headrace.engine.recipe.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The keys of a YAML mapping by name: doubled keys are refused, merge keys ({@code <<}) are resolved within a budget. */
final class MappingReader {
    private static final int MOST_MERGED = 1000;

    private final Lines lines;
    private final Problems problems;
    private int merged;

    MappingReader(Lines lines, Problems problems) {
        this.lines = lines;
        this.problems = problems;
    }

    /** A value and the place of its key. */
    record Found(Place place, Node node) {}

    Map<String, Found> entries(MappingNode mapping, String path) {
        Map<String, Found> own = new LinkedHashMap<>();
        Map<String, Found> inherited = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Place place = lines.of(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.error(place, path, "a key must be a single word");
            } else if (Tag.MERGE.equals(key.getTag())) {
                merge(tuple.getValueNode(), place, path, inherited);
            } else {
                add(own, key.getValue(), new Found(place, tuple.getValueNode()), path);
            }
        }
        inherited.forEach(own::putIfAbsent);
        return own;
    }

    private void add(Map<String, Found> own, String name, Found found, String path) {
        Found first = own.putIfAbsent(name, found);
        if (first != null) {
            problems.error(
                    found.place(),
                    ValueReader.join(path, name),
                    "this key is written twice, first on line " + first.place().line());
        }
    }

    private void merge(Node value, Place place, String path, Map<String, Found> into) {
        if (++merged > MOST_MERGED) {
            if (merged == MOST_MERGED + 1) {
                problems.error(place, path, "more than " + MOST_MERGED + " merges by '<<'");
            }
        } else if (value instanceof MappingNode other) {
            for (NodeTuple tuple : other.getValue()) {
                mergeKey(tuple, place, path, into);
            }
        } else if (value instanceof SequenceNode list) {
            list.getValue().forEach(item -> merge(item, place, path, into));
        } else {
            problems.error(place, path, "'<<' wants a mapping or a list of them");
        }
    }

    private void mergeKey(NodeTuple tuple, Place place, String path, Map<String, Found> into) {
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            problems.error(place, path, "a key must be a single word");
        } else if (Tag.MERGE.equals(key.getTag())) {
            merge(tuple.getValueNode(), place, path, into);
        } else {
            into.putIfAbsent(key.getValue(), new Found(lines.of(key), tuple.getValueNode()));
        }
    }
}
