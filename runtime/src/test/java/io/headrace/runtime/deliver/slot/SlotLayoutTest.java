package io.headrace.runtime.deliver.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.unit.Dtype;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotLayoutTest {
    private static final List<Dtype> TYPES = List.of(Dtype.values());

    /** The Python client reads the same file: a change of it breaks the wire. */
    @Test
    void theGoldenLayoutIsKept() throws IOException {
        JsonNode golden = golden();
        SlotLayout layout = SlotLayout.of(specs(golden.get("specs")));
        assertThat(layout.bytes()).isEqualTo(golden.get("bytes").asLong());
        for (int m = 0; m < layout.microbatches().size(); m++) {
            SlotLayout.Microbatch placed = layout.microbatches().get(m);
            JsonNode expected = golden.get("microbatches").get(m);
            assertThat(placed.offsetBytes()).isEqualTo(expected.get("offset").asLong());
            assertThat(placed.bytes()).isEqualTo(expected.get("bytes").asLong());
            assertThat(placed.header()).isEqualTo(expected.get("header").asText());
            JsonNode tensors = expected.get("tensors");
            assertThat(placed.tensors()).hasSize(tensors.size());
            placed.tensors()
                    .forEach(
                            (name, tensor) ->
                                    assertThat(tensor.offsetBytes())
                                            .as(name)
                                            .isEqualTo(tensors.get(name).asLong()));
        }
    }

    @Test
    void theGoldenBytesAreThoseOfTheHeaders() throws IOException {
        JsonNode golden = golden();
        SlotLayout layout = SlotLayout.of(specs(golden.get("specs")));
        try (Arena arena = Arena.ofConfined();
                InputStream file =
                        Objects.requireNonNull(
                                SlotLayoutTest.class.getResourceAsStream("/deliver/slot.bin"))) {
            MemorySegment slot = arena.allocate(layout.bytes(), 64);
            fill(layout, slot);
            assertThat(slot.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(file.readAllBytes());
        }
    }

    /** Byte i of a tensor is (i * 7 + length of its name) modulo 251. */
    private static void fill(SlotLayout layout, MemorySegment slot) {
        layout.writeHeaders(slot);
        for (int m = 0; m < layout.microbatches().size(); m++) {
            for (String name : layout.microbatches().get(m).tensors().keySet()) {
                MemorySegment tensor = layout.tensor(slot, m, name);
                for (long i = 0; i < tensor.byteSize(); i++) {
                    tensor.set(ValueLayout.JAVA_BYTE, i, (byte) ((i * 7 + name.length()) % 251));
                }
            }
        }
    }

    private static JsonNode golden() throws IOException {
        try (InputStream in = SlotLayoutTest.class.getResourceAsStream("/deliver/slot.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    private static List<List<TensorSpec>> specs(JsonNode node) {
        List<List<TensorSpec>> all = new ArrayList<>();
        for (JsonNode microbatch : node) {
            List<TensorSpec> specs = new ArrayList<>();
            for (JsonNode spec : microbatch) {
                List<Long> shape = new ArrayList<>();
                spec.get(2).forEach(side -> shape.add(side.asLong()));
                Dtype dtype = Dtype.ofSafetensorsName(spec.get(1).asText());
                specs.add(new TensorSpec(spec.get(0).asText(), dtype, shape));
            }
            all.add(specs);
        }
        return all;
    }

    @Test
    void everyTensorIsAlignedAndNoneOverlap() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<List<TensorSpec>> specs = new ArrayList<>();
            for (int m = 0; m <= random.nextInt(4); m++) {
                specs.add(randomSpecs(random));
            }
            SlotLayout layout = SlotLayout.of(specs);
            long end = 0;
            for (SlotLayout.Microbatch placed : layout.microbatches()) {
                assertThat(placed.offsetBytes()).as("seed %d", seed).isGreaterThanOrEqualTo(end);
                assertThat(placed.offsetBytes() % SlotLayout.ALIGNMENT_BYTES).isZero();
                end = placed.offsetBytes() + 8 + placed.header().length();
                assertThat(end % SlotLayout.ALIGNMENT_BYTES).as("seed %d", seed).isZero();
                for (SlotLayout.Tensor tensor : placed.tensors().values()) {
                    assertThat(tensor.offsetBytes()).as("seed %d", seed).isEqualTo(end);
                    assertThat(end % tensor.spec().dtype().bytes()).as("seed %d", seed).isZero();
                    end += tensor.spec().bytes();
                }
                assertThat(placed.offsetBytes() + placed.bytes()).isEqualTo(end);
            }
            assertThat(layout.bytes()).isEqualTo(end);
        }
    }

    private static List<TensorSpec> randomSpecs(Random random) {
        List<TensorSpec> specs = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            Dtype dtype = TYPES.get(random.nextInt(TYPES.size()));
            specs.add(TensorSpec.of("t" + i, dtype, random.nextInt(9), 1 + random.nextInt(7)));
        }
        return specs;
    }

    @Test
    void wrongSpecsAreRefused() {
        assertThatThrownBy(() -> TensorSpec.of("a b", Dtype.UINT8, 1))
                .hasMessageContaining("\"a b\"");
        assertThatThrownBy(() -> TensorSpec.of("__metadata__", Dtype.UINT8, 1))
                .hasMessageContaining("__metadata__");
        assertThatThrownBy(() -> TensorSpec.of("a", Dtype.UINT8, -1)).hasMessageContaining("[-1]");
        TensorSpec a = TensorSpec.of("a", Dtype.UINT8, 1);
        assertThatThrownBy(() -> SlotLayout.of(List.of(List.of(a, a))))
                .hasMessageContaining("Two tensors \"a\"");
        assertThatThrownBy(() -> SlotLayout.of(List.of())).hasMessageContaining("microbatches");
        TensorSpec huge = TensorSpec.of("huge", Dtype.INT64, Long.MAX_VALUE / 4, 3);
        assertThatThrownBy(() -> SlotLayout.of(List.of(List.of(huge))))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void theLayoutOfARanksStepHoldsUpToManyGigabytes() {
        TensorSpec pixels = TensorSpec.of("pixel_values", Dtype.FLOAT32, 5_000_000, 1176);
        SlotLayout layout = SlotLayout.of(List.of(List.of(pixels), List.of(pixels)));
        assertThat(layout.bytes()).isGreaterThan(2L * 5_000_000 * 1176 * 4);
    }
}
