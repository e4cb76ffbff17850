package io.headrace.sources.formats.parquet;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.row.PqList;
import dev.hardwood.row.PqStruct;
import dev.hardwood.row.StructAccessor;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column that parts are made of. Its name is a path of fields joined by dots; where it is a list, {@code []} follows the list's name
 * and stands for the number of an element. Immutable.
 *
 * @param path the fields from the root, without the {@code bytes} of a struct of media
 * @param inner the field of a struct that holds the bytes; empty where the value itself does
 * @param list whether the last of the path is a list of such values
 * @param codec TEXT, or JSON for a value that is JSON or is written as it; null for media
 */
record ParquetField(
        List<String> path, String inner, boolean list, boolean rendered, @Nullable Codec codec) {

    private static final Pattern ELEMENT = Pattern.compile("\\[(\\d+)\\](\\.bytes)?$");

    ParquetField {
        path = List.copyOf(path);
    }

    /** The media column of a name: binary, a struct with {@code bytes}, or a list of either. */
    static Optional<ParquetField> media(FileSchema schema, String name) {
        List<String> path = List.of(name.split("\\."));
        SchemaNode node = node(schema, path);
        if (node == null && path.getLast().equals("bytes")) {
            return Optional.empty();
        }
        if (node instanceof SchemaNode.PrimitiveNode primitive
                && path.size() > 1
                && path.getLast().equals("bytes")
                && isBytes(primitive)) {
            return Optional.of(
                    new ParquetField(
                            path.subList(0, path.size() - 1), "bytes", false, false, null));
        }
        return node == null ? Optional.empty() : mediaOf(path, node);
    }

    private static Optional<ParquetField> mediaOf(List<String> path, SchemaNode node) {
        boolean list = node instanceof SchemaNode.GroupNode group && group.isList();
        SchemaNode value =
                list && node instanceof SchemaNode.GroupNode group ? group.getListElement() : node;
        if (value instanceof SchemaNode.PrimitiveNode primitive && isBytes(primitive)) {
            return Optional.of(new ParquetField(path, "", list, false, null));
        }
        if (value instanceof SchemaNode.GroupNode struct
                && child(struct, "bytes") instanceof SchemaNode.PrimitiveNode primitive
                && isBytes(primitive)) {
            return Optional.of(new ParquetField(path, "bytes", list, false, null));
        }
        return Optional.empty();
    }

    /** The media columns of a file, in its order: binary columns, and structs with {@code bytes}. */
    static List<ParquetField> allMedia(FileSchema schema) {
        List<ParquetField> all = new ArrayList<>();
        for (SchemaNode node : schema.getRootNode().children()) {
            mediaOf(List.of(node.name()), node).filter(field -> !isText(node)).ifPresent(all::add);
        }
        return all;
    }

    /** The text column of a name; anything but a string or bytes is written as JSON. */
    static Optional<ParquetField> text(FileSchema schema, String name) {
        List<String> path = List.of(name.split("\\."));
        SchemaNode node = node(schema, path);
        if (node == null) {
            return Optional.empty();
        }
        if (node instanceof SchemaNode.PrimitiveNode primitive && isBytes(primitive)) {
            boolean json = primitive.logicalType() instanceof LogicalType.JsonType;
            return Optional.of(
                    new ParquetField(path, "", false, false, json ? Codec.JSON : Codec.TEXT));
        }
        return Optional.of(new ParquetField(path, "", false, true, Codec.JSON));
    }

    /** The column that a part was made of, by the field of the part. */
    static Optional<ParquetField> ofPart(FileSchema schema, String field) {
        int selector = field.indexOf(Part.Text.SELECTOR);
        if (selector >= 0) {
            return text(schema, field.substring(selector + 1));
        }
        return media(schema, ELEMENT.matcher(field).replaceFirst(""));
    }

    /** The number of the element of a list that a part was made of; 0 where there is no list. */
    static int elementOfPart(String field) {
        Matcher element = ELEMENT.matcher(field);
        return element.find() ? Integer.parseInt(element.group(1)) : 0;
    }

    private static boolean isBytes(SchemaNode.PrimitiveNode node) {
        return switch (node.type()) {
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> true;
            case BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE -> false;
        };
    }

    private static boolean isText(SchemaNode node) {
        SchemaNode value =
                node instanceof SchemaNode.GroupNode group && group.isList()
                        ? group.getListElement()
                        : node;
        return value instanceof SchemaNode.PrimitiveNode primitive
                && primitive.logicalType() != null;
    }

    private static @Nullable SchemaNode node(FileSchema schema, List<String> path) {
        SchemaNode node = schema.getRootNode();
        for (String name : path) {
            node = node instanceof SchemaNode.GroupNode group ? child(group, name) : null;
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private static @Nullable SchemaNode child(SchemaNode.GroupNode group, String name) {
        for (SchemaNode child : group.children()) {
            if (child.name().equals(name)) {
                return child;
            }
        }
        return null;
    }

    /** What to ask the library for. */
    String projection() {
        return inner.isEmpty() || list
                ? String.join(".", path)
                : String.join(".", path) + "." + inner;
    }

    /** The field of a part made of a value of this column; {@code element} counts only in a list. */
    String partField(int element) {
        String name = String.join(".", path);
        if (rendered) {
            return Part.Text.SELECTOR + name;
        }
        return name + (list ? "[" + element + "]" : "") + (inner.isEmpty() ? "" : "." + inner);
    }

    /** The values of a row in order; null for one that is missing. A column that is no list has one. */
    List<byte @Nullable []> values(StructAccessor row) {
        StructAccessor at = row;
        for (String step : path.subList(0, path.size() - 1)) {
            if (at.isNull(step)) {
                return nothing();
            }
            at = at.getStruct(step);
        }
        String last = path.getLast();
        if (at.isNull(last)) {
            return list ? List.of() : nothing();
        }
        if (rendered) {
            return one(JsonRendering.of(String.join(".", path), at.getValue(last)));
        }
        if (list) {
            return elements(at.getList(last));
        }
        return one(inner.isEmpty() ? at.getBinary(last) : innerBytes(at.getStruct(last)));
    }

    private List<byte @Nullable []> elements(PqList values) {
        List<byte @Nullable []> all = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.isNull(i) ? null : values.getRaw(i);
            all.add(
                    value instanceof PqStruct struct
                            ? innerBytes(struct)
                            : value instanceof byte[] bytes ? bytes : null);
        }
        return all;
    }

    private byte @Nullable [] innerBytes(PqStruct struct) {
        return struct.isNull(inner) ? null : struct.getBinary(inner);
    }

    private static List<byte @Nullable []> nothing() {
        return one(null);
    }

    private static List<byte @Nullable []> one(byte @Nullable [] value) {
        List<byte @Nullable []> all = new ArrayList<>(1);
        all.add(value);
        return all;
    }
}
