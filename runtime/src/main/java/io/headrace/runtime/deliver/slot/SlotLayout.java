package io.headrace.runtime.deliver.slot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Every offset, length and alignment of a slot: one safetensors buffer for each microbatch, one after the other.
 *
 * <p>A buffer starts at a multiple of 64 bytes. Its header is padded with spaces so that the first tensor starts at such a multiple as
 * well. Tensors follow in order of falling element size, ties as given, without holes (safetensors allows none), so each is aligned to
 * its element. Offsets count from the start of the slot. A layout is a function of the specs alone.
 */
public final class SlotLayout {
    /** Start of a buffer and of its first tensor: a cache line, and the widest vector. */
    public static final int ALIGNMENT_BYTES = 64;

    private static final int LENGTH_FIELD_BYTES = Long.BYTES;
    private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);

    private final List<Microbatch> microbatches;
    private final long bytes;

    private SlotLayout(List<Microbatch> microbatches, long bytes) {
        this.microbatches = List.copyOf(microbatches);
        this.bytes = bytes;
    }

    /** The layout of a step of a rank, given the tensors of each of its microbatches. */
    public static SlotLayout of(List<List<TensorSpec>> microbatches) {
        if (microbatches.isEmpty()) {
            throw new IllegalArgumentException("A slot without microbatches");
        }
        List<Microbatch> placed = new ArrayList<>();
        long offset = 0;
        for (List<TensorSpec> specs : microbatches) {
            Microbatch next = place(specs, offset);
            placed.add(next);
            offset = aligned(next.offsetBytes() + next.bytes());
        }
        Microbatch last = placed.getLast();
        return new SlotLayout(placed, last.offsetBytes() + last.bytes());
    }

    private static Microbatch place(List<TensorSpec> specs, long offset) {
        List<TensorSpec> ordered =
                specs.stream()
                        .sorted(Comparator.comparingInt((TensorSpec s) -> -s.dtype().bytes()))
                        .toList();
        String header = header(ordered);
        long data = offset + LENGTH_FIELD_BYTES + header.length();
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        long next = data;
        for (TensorSpec spec : ordered) {
            if (tensors.put(spec.name(), new Tensor(spec, next)) != null) {
                throw new IllegalArgumentException("Two tensors \"" + spec.name() + "\"");
            }
            next = Math.addExact(next, spec.bytes());
        }
        return new Microbatch(offset, next - offset, header, tensors);
    }

    private static String header(List<TensorSpec> ordered) {
        StringBuilder json = new StringBuilder(128).append('{');
        long next = 0;
        for (TensorSpec spec : ordered) {
            long end = Math.addExact(next, spec.bytes());
            json.append(next == 0 && json.length() == 1 ? "\"" : ",\"").append(spec.name());
            json.append("\":{\"dtype\":\"").append(spec.dtype().safetensorsName());
            json.append("\",\"shape\":[");
            json.append(
                    spec.shape().stream().map(String::valueOf).collect(Collectors.joining(",")));
            json.append("],\"data_offsets\":[").append(next).append(',').append(end).append("]}");
            next = end;
        }
        json.append('}');
        long padded = aligned(LENGTH_FIELD_BYTES + (long) json.length()) - LENGTH_FIELD_BYTES;
        return json.append(" ".repeat((int) padded - json.length())).toString();
    }

    private static long aligned(long offset) {
        return (offset + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Length of the whole slot in bytes. */
    public long bytes() {
        return bytes;
    }

    public List<Microbatch> microbatches() {
        return microbatches;
    }

    /** The tensor's own part of a slot's memory. */
    public MemorySegment tensor(MemorySegment slot, int microbatch, String name) {
        Tensor tensor = microbatches.get(microbatch).tensors().get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(
                    "Microbatch %d has no tensor \"%s\"".formatted(microbatch, name));
        }
        return slot.asSlice(tensor.offsetBytes(), tensor.spec().bytes());
    }

    /** Writes all headers, and zeros between the buffers; the tensors stay as they were. */
    void writeHeaders(MemorySegment slot) {
        long end = 0;
        for (Microbatch microbatch : microbatches) {
            slot.asSlice(end, microbatch.offsetBytes() - end).fill((byte) 0);
            byte[] header = microbatch.header().getBytes(StandardCharsets.US_ASCII);
            slot.set(LITTLE_ENDIAN_LONG, microbatch.offsetBytes(), header.length);
            MemorySegment.copy(
                    header,
                    0,
                    slot,
                    ValueLayout.JAVA_BYTE,
                    microbatch.offsetBytes() + LENGTH_FIELD_BYTES,
                    header.length);
            end = microbatch.offsetBytes() + microbatch.bytes();
        }
    }

    /** A tensor and its first byte, counted from the start of the slot. */
    public record Tensor(TensorSpec spec, long offsetBytes) {}

    /**
     * One safetensors buffer. {@code header} is its JSON with the padding; tensors are in the order of their offsets.
     */
    public record Microbatch(
            long offsetBytes, long bytes, String header, Map<String, Tensor> tensors) {
        public Microbatch {
            tensors = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        }
    }
}
