package io.headrace.engine.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headrace.engine.unit.Dtype;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a safetensors buffer: strings of metadata, and name, type, shape and bytes of each tensor. The buffer is an unsigned
 * 64-bit little-endian length, the header as JSON of that length, then the data, to whose first byte the offsets refer. The header is
 * padded with spaces so that the data starts at a multiple of {@link #ALIGNMENT_BYTES}. Immutable.
 */
public record SafetensorsHeader(Map<String, String> metadata, List<Tensor> tensors) {

    /** Data begins at a multiple of it: a cache line, and the widest vector. */
    public static final int ALIGNMENT_BYTES = 64;

    /** The format's own bound of a header; a longer one is refused before it is read. */
    public static final long MAX_HEADER_BYTES = 100_000_000;

    private static final int LENGTH_BYTES = 8;
    private static final String METADATA = "__metadata__";
    private static final ObjectMapper JSON = new ObjectMapper();

    public SafetensorsHeader {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        tensors = List.copyOf(tensors);
        long end = 0;
        for (Tensor tensor : tensors) {
            if (tensor.beginBytes != end) {
                throw new IllegalArgumentException(
                        "Tensor %s begins at %d where the one before ends at %d"
                                .formatted(tensor.name, tensor.beginBytes, end));
            }
            end = tensor.endBytes;
        }
    }

    /** One tensor; the bytes are half-open and counted from the start of the data. */
    public record Tensor(
            String name, Dtype dtype, List<Long> shape, long beginBytes, long endBytes) {
        public Tensor {
            shape = List.copyOf(shape);
            long elements = 1;
            for (long side : shape) {
                elements = Math.multiplyExact(elements, side);
            }
            if (endBytes - beginBytes != elements * dtype.bytes()) {
                throw new IllegalArgumentException(
                        "Tensor %s of %s %s in %d bytes"
                                .formatted(name, dtype, shape, endBytes - beginBytes));
            }
        }

        /** A tensor that begins where another ends. */
        public static Tensor at(long beginBytes, String name, Dtype dtype, Long... shape) {
            long elements = Arrays.stream(shape).reduce(1L, Math::multiplyExact);
            return new Tensor(
                    name,
                    dtype,
                    List.of(shape),
                    beginBytes,
                    beginBytes + Math.multiplyExact(elements, (long) dtype.bytes()));
        }
    }

    /** Bytes of all tensors. */
    public long dataBytes() {
        return tensors.isEmpty() ? 0 : tensors.getLast().endBytes;
    }

    /** The bytes that stand before the data, length prefix and padding included. */
    public byte[] encode() {
        byte[] json = json().toString().getBytes(StandardCharsets.UTF_8);
        int used = LENGTH_BYTES + json.length;
        int padded = Math.ceilDiv(used, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
        byte[] bytes = new byte[padded];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong((long) padded - LENGTH_BYTES)
                .put(json);
        Arrays.fill(bytes, used, padded, (byte) ' ');
        return bytes;
    }

    private ObjectNode json() {
        ObjectNode root = JSON.createObjectNode();
        if (!metadata.isEmpty()) {
            ObjectNode strings = root.putObject(METADATA);
            metadata.forEach(strings::put);
        }
        for (Tensor tensor : tensors) {
            ObjectNode node = root.putObject(tensor.name);
            node.put("dtype", tensor.dtype.safetensorsName());
            ArrayNode shape = node.putArray("shape");
            tensor.shape.forEach(shape::add);
            node.putArray("data_offsets").add(tensor.beginBytes).add(tensor.endBytes);
        }
        return root;
    }

    /**
     * Where the data begins, from the first eight bytes of a buffer.
     *
     * @throws IOException if the length is none that the format allows
     */
    public static long dataOffset(byte[] firstEightBytes) throws IOException {
        long length = ByteBuffer.wrap(firstEightBytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 2 || length > MAX_HEADER_BYTES) {
            throw new IOException(
                    "Not a safetensors buffer: a header of %d bytes, allowed are 2 to %d"
                            .formatted(length, MAX_HEADER_BYTES));
        }
        return LENGTH_BYTES + length;
    }

    /**
     * Reads the bytes that stand before the data.
     *
     * @throws IOException if they are no header
     */
    public static SafetensorsHeader decode(byte[] bytes) throws IOException {
        JsonNode root;
        try {
            root =
                    JSON.readTree(
                            new String(
                                    bytes,
                                    LENGTH_BYTES,
                                    bytes.length - LENGTH_BYTES,
                                    StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IOException("Not a safetensors header: " + e.getOriginalMessage(), e);
        }
        Map<String, String> metadata = new LinkedHashMap<>();
        List<Tensor> tensors = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (field.getKey().equals(METADATA)) {
                field.getValue()
                        .properties()
                        .forEach(e -> metadata.put(e.getKey(), e.getValue().asText()));
            } else {
                tensors.add(tensor(field.getKey(), field.getValue()));
            }
        }
        tensors.sort(
                (a, b) ->
                        a.beginBytes != b.beginBytes
                                ? Long.compare(a.beginBytes, b.beginBytes)
                                : Long.compare(a.endBytes, b.endBytes));
        return checked(metadata, tensors);
    }

    private static SafetensorsHeader checked(Map<String, String> metadata, List<Tensor> tensors)
            throws IOException {
        try {
            return new SafetensorsHeader(metadata, tensors);
        } catch (IllegalArgumentException e) {
            throw new IOException("Not a safetensors header: " + e.getMessage(), e);
        }
    }

    private static Tensor tensor(String name, JsonNode node) throws IOException {
        List<Long> shape = new ArrayList<>();
        node.path("shape").forEach(side -> shape.add(side.asLong()));
        JsonNode offsets = node.path("data_offsets");
        try {
            return new Tensor(
                    name,
                    Dtype.ofSafetensorsName(node.path("dtype").asText()),
                    shape,
                    offsets.path(0).asLong(-1),
                    offsets.path(1).asLong(-1));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException("Not a safetensors header: " + e.getMessage(), e);
        }
    }

    /** The tensor of a name. */
    public Tensor tensor(String name) throws IOException {
        for (Tensor tensor : tensors) {
            if (tensor.name.equals(name)) {
                return tensor;
            }
        }
        throw new IOException("No tensor %s in the safetensors header".formatted(name));
    }
}
