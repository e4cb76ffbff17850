package io.headrace.media.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import io.headrace.media.resize.Golden;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every processor gives the bits of its Hugging Face counterpart, on real pictures. */
class VectorsTest {
    /** Pictures of a sample that has more than one. */
    private static final int SEVERAL = 3;

    static Stream<Arguments> cases() {
        List<Arguments> cases = new ArrayList<>();
        for (JsonNode node : Golden.json("processors.json")) {
            cases.add(Arguments.of(node.get("case").asText(), node));
        }
        return cases.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void levelsAreEqualRowByRow(String name, JsonNode golden) throws Exception {
        byte[] levels = tensor(golden, Wire.UINT8);

        JsonNode rows = golden.get("row_crc32");
        boolean twoTimes = name.startsWith("qwen");
        int rowBytes = levels.length / rows.size();
        for (int row = 0; row < rows.size(); row++) {
            byte[] one = Arrays.copyOfRange(levels, row * rowBytes, (row + 1) * rowBytes);
            byte[] kept = twoTimes ? firstTime(one) : one;
            assertThat(Golden.crc(kept, 0, kept.length))
                    .as("row %d", row)
                    .isEqualTo(rows.get(row).asLong());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void floatsAreEqual(String name, JsonNode golden) throws Exception {
        byte[] floats = tensor(golden, Wire.FLOAT32);

        byte[] padded = Arrays.copyOf(floats, 4 * elements(golden.get("shape")));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(padded);
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(golden.get("sha256").asText());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void bfloatsAreTheRoundedFloats(String name, JsonNode golden) throws Exception {
        ByteBuffer floats = little(tensor(golden, Wire.FLOAT32));
        ByteBuffer halves = little(tensor(golden, Wire.BFLOAT16));

        assertThat(halves.remaining()).isEqualTo(floats.remaining() / 2);
        int wrong = 0;
        while (halves.hasRemaining()) {
            float value = floats.getFloat();
            float half = Float.intBitsToFloat(halves.getShort() << 16);
            wrong += Math.abs(half - value) <= Math.scalb(Math.ulp(value), 15) ? 0 : 1;
        }
        assertThat(wrong).as("values further away than half a step").isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void gridsAreEqual(String name, JsonNode golden) throws Exception {
        Picture picture = picture(golden);
        ImageProcessor processor = ImageProcessors.create(Tensors.spec(model(golden), Wire.UINT8));
        ImageLayout layout = processor.layout(picture.width(), picture.height());

        JsonNode grid =
                golden.has("image_grid_thw")
                        ? golden.get("image_grid_thw")
                        : golden.get("spatial_shapes");
        int height = grid == null ? 0 : grid.get(grid.size() - 2).asInt();
        int width = grid == null ? 0 : grid.get(grid.size() - 1).asInt();
        assertThat(layout.gridHeight()).isEqualTo(height);
        assertThat(layout.gridWidth()).isEqualTo(width);
        if (grid != null) {
            assertThat(layout.patches()).isEqualTo(height * width);
            assertThat(layout.rows()).isEqualTo(height * width);
        }
    }

    /** The first of the two equal times of a patch, and a check that they are equal. */
    private static byte[] firstTime(byte[] patch) {
        int plane = patch.length / 6;
        byte[] kept = new byte[3 * plane];
        for (int c = 0; c < 3; c++) {
            int from = 2 * c * plane;
            System.arraycopy(patch, from, kept, c * plane, plane);
            assertThat(
                            Arrays.equals(
                                    patch,
                                    from,
                                    from + plane,
                                    patch,
                                    from + plane,
                                    from + 2 * plane))
                    .isTrue();
        }
        return kept;
    }

    private static byte[] tensor(JsonNode golden, Wire wire) throws Exception {
        int pictures = golden.get("processor").asText().endsWith("_several") ? SEVERAL : 1;
        return Tensors.tensor(model(golden), wire, picture(golden), pictures);
    }

    private static Model model(JsonNode golden) {
        return Tensors.model(golden.get("processor").asText());
    }

    private static Picture picture(JsonNode golden) throws Exception {
        Alpha alpha = golden.get("alpha").asText().equals("drop") ? Alpha.DROP : Alpha.WHITE;
        return Golden.picture(golden.get("media").asText(), alpha);
    }

    private static int elements(JsonNode shape) {
        int elements = 1;
        for (JsonNode side : shape) {
            elements *= side.asInt();
        }
        return elements;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
