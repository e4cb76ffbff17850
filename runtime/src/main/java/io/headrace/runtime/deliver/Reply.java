package io.headrace.runtime.deliver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An answer that is ready to be sent, once. JSON names are in snake case. */
record Reply(int status, String contentType, ByteBuffer body) {
    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();

    static Reply json(int status, Object value) {
        try {
            return new Reply(
                    status, "application/json", ByteBuffer.wrap(JSON.writeValueAsBytes(value)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot be written as JSON: " + value, e);
        }
    }

    /** Text that is JSON already. */
    static Reply document(String json) {
        return new Reply(200, "application/json", StandardCharsets.UTF_8.encode(json));
    }

    /** An error of a kind that a client can act on, with the whole message for its user. */
    static Reply error(int status, String kind, String message) {
        return json(status, Map.of("error", Map.of("kind", kind, "message", message)));
    }
}
