package io.headrace.engine.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.unit.Dtype;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SafetensorsHeaderTest {

    private static SafetensorsHeader example() {
        SafetensorsHeader.Tensor a =
                SafetensorsHeader.Tensor.at(0, "pixel_values", Dtype.FLOAT32, 2L, 3L);
        return new SafetensorsHeader(
                Map.of("step", "7"),
                List.of(
                        a,
                        SafetensorsHeader.Tensor.at(24, "empty", Dtype.INT64, 0L),
                        SafetensorsHeader.Tensor.at(24, "mask", Dtype.UINT8, 5L)));
    }

    @Test
    void decodesWhatItEncodes() throws IOException {
        SafetensorsHeader header = example();
        assertThat(SafetensorsHeader.decode(header.encode())).isEqualTo(header);
        assertThat(header.dataBytes()).isEqualTo(29);
        assertThat(header.tensor("mask").beginBytes()).isEqualTo(24);
    }

    @Test
    void dataBeginsAtAMultipleOf64() throws IOException {
        byte[] bytes = example().encode();
        assertThat(bytes.length % SafetensorsHeader.ALIGNMENT_BYTES).isZero();
        assertThat(SafetensorsHeader.dataOffset(Arrays.copyOf(bytes, 8))).isEqualTo(bytes.length);
        assertThat(new String(bytes, 8, 60, StandardCharsets.UTF_8))
                .startsWith("{\"__metadata__\":{\"step\":\"7\"},\"pixel_values\":");
    }

    @Test
    void refusesGaps() {
        assertThatThrownBy(
                        () ->
                                new SafetensorsHeader(
                                        Map.of(),
                                        List.of(
                                                SafetensorsHeader.Tensor.at(
                                                        4, "a", Dtype.UINT8, 1L))))
                .hasMessageContaining("begins at 4 where the one before ends at 0");
    }

    @Test
    void refusesWhatIsNoHeader() {
        assertThatThrownBy(() -> SafetensorsHeader.dataOffset(new byte[8]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Not a safetensors buffer");
        byte[] noJson = "12345678{\"a\": ".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> SafetensorsHeader.decode(noJson))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Not a safetensors header");
        byte[] badType =
                "12345678{\"a\":{\"dtype\":\"F9\",\"shape\":[1],\"data_offsets\":[0,1]}}"
                        .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> SafetensorsHeader.decode(badType))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("F9");
    }
}
