package io.headrace.sources.formats.parquet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hardwood.row.PqList;
import dev.hardwood.row.PqMap;
import dev.hardwood.row.PqStruct;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Writes a nested value as a JSON object of one key: structs and maps as objects, lists as lists, bytes in base 64. */
final class JsonRendering {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonRendering() {}

    static byte[] of(String key, @Nullable Object value) {
        ObjectNode object = NODES.objectNode();
        object.set(key, node(value));
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode node(@Nullable Object value) {
        return switch (value) {
            case null -> NODES.nullNode();
            case PqStruct struct -> object(struct);
            case PqList list -> list(list);
            case PqMap map -> object(map);
            case byte[] bytes -> NODES.textNode(Base64.getEncoder().encodeToString(bytes));
            case Integer number -> NODES.numberNode(number);
            case Long number -> NODES.numberNode(number);
            case Float number -> NODES.numberNode(number);
            case Double number -> NODES.numberNode(number);
            case BigDecimal number -> NODES.numberNode(number);
            case Boolean truth -> NODES.booleanNode(truth);
            default -> NODES.textNode(value.toString());
        };
    }

    private static JsonNode object(PqStruct struct) {
        ObjectNode object = NODES.objectNode();
        for (int i = 0; i < struct.getFieldCount(); i++) {
            object.set(struct.getFieldName(i), node(struct.isNull(i) ? null : struct.getValue(i)));
        }
        return object;
    }

    private static JsonNode list(PqList list) {
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < list.size(); i++) {
            array.add(node(list.isNull(i) ? null : list.get(i)));
        }
        return array;
    }

    private static JsonNode object(PqMap map) {
        ObjectNode object = NODES.objectNode();
        for (PqMap.Entry entry : map.getEntries()) {
            object.set(String.valueOf(entry.getKey()), node(entry.getValue()));
        }
        return object;
    }
}
