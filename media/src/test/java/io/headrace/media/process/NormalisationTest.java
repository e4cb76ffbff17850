package io.headrace.media.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.resize.Golden;
import org.junit.jupiter.api.Test;

/** The tables of 256 values are those of the Hugging Face processors, to the bit. */
class NormalisationTest {

    @Test
    void tablesAreEqual() {
        assertTable(Normalisation.clip().table(), Golden.json("tables.json").get("clip"));
        assertTable(Normalisation.half().table(), Golden.json("tables.json").get("half"));
        assertTable(Normalisation.imageNet().table(), Golden.json("tables.json").get("imagenet"));
    }

    @Test
    void processorsGiveTheTableOfTheirModel() {
        assertTable(
                ImageProcessors.create(Tensors.spec(Tensors.QWEN, Wire.UINT8)).table(),
                Golden.json("tables.json").get("clip"));
        assertTable(
                ImageProcessors.create(Tensors.spec(Tensors.SIGLIP2, Wire.UINT8)).table(),
                Golden.json("tables.json").get("half"));
    }

    @Test
    void arithmeticGivesTheBitsOfTheTable() {
        assertThat(Normalisation.clip().dividesByReciprocal()).isTrue();
        assertThat(Normalisation.half().dividesByReciprocal()).isTrue();
        assertThat(Normalisation.imageNet().dividesByReciprocal()).isTrue();
    }

    @Test
    void bfloatsAreRoundedHalfToEven() {
        assertThat(Normalisation.bfloat16(1f)).isEqualTo((short) 0x3f80);
        assertThat(Normalisation.bfloat16(Float.intBitsToFloat(0x3f808000)))
                .isEqualTo((short) 0x3f80);
        assertThat(Normalisation.bfloat16(Float.intBitsToFloat(0x3f818000)))
                .isEqualTo((short) 0x3f82);
        assertThat(Normalisation.bfloat16(Float.intBitsToFloat(0xbf808001)))
                .isEqualTo((short) 0xbf81);
    }

    private static void assertTable(float[][] table, JsonNode bits) {
        for (int c = 0; c < 3; c++) {
            for (int level = 0; level < 256; level++) {
                assertThat(Float.floatToRawIntBits(table[c][level]))
                        .isEqualTo(bits.get(c).get(level).asInt());
            }
        }
    }
}
