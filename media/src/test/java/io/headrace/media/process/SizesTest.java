package io.headrace.media.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.process.AnyresSizes.Canvas;
import io.headrace.media.process.Sizes.Size;
import io.headrace.media.resize.Golden;
import org.junit.jupiter.api.Test;

/** Sizes of 60 pictures, as the Hugging Face processors choose them. */
class SizesTest {

    @Test
    void qwenSizes() {
        for (JsonNode row : Golden.json("shapes.json")) {
            assertThat(smart(row, 28, 3136, 12845056))
                    .as("%s", row)
                    .isEqualTo(text(row.get("qwen2_vl_hw")));
            assertThat(smart(row, 28, 3136, 1003520))
                    .as("%s", row)
                    .isEqualTo(text(row.get("qwen2_vl_default_hw")));
        }
    }

    @Test
    void naflexSizes() {
        for (JsonNode row : Golden.json("shapes.json")) {
            int width = row.get("width").asInt();
            int height = row.get("height").asInt();
            assertThat(text(Sizes.naflex(width, height, 16, 256)))
                    .as("%s", row)
                    .isEqualTo(text(row.get("naflex_256_hw")));
            assertThat(text(Sizes.naflex(width, height, 16, 1024)))
                    .as("%s", row)
                    .isEqualTo(text(row.get("naflex_1024_hw")));
        }
    }

    @Test
    void qwen3Sizes() {
        for (JsonNode row : Golden.json("shapes.json")) {
            assertThat(smart(row, 32, 65536, 16777216))
                    .as("%s", row)
                    .isEqualTo(text(row.get("qwen3_vl_hw")));
        }
    }

    @Test
    void tileGrids() {
        for (JsonNode row : Golden.json("shapes.json")) {
            Size grid =
                    Sizes.tileGrid(row.get("width").asInt(), row.get("height").asInt(), 448, 12);
            assertThat("[%d,%d]".formatted(grid.width(), grid.height()))
                    .as("%s", row)
                    .isEqualTo(text(row.get("internvl_columns_rows")));
        }
    }

    @Test
    void clipSizes() {
        for (JsonNode row : Golden.json("shapes.json")) {
            Size size =
                    Sizes.shortestEdge(row.get("width").asInt(), row.get("height").asInt(), 224);
            assertThat(text(size)).as("%s", row).isEqualTo(text(row.get("clip_resized_hw")));
        }
    }

    @Test
    void canvasesAndTheirTokens() {
        for (JsonNode row : Golden.json("shapes.json")) {
            int width = row.get("width").asInt();
            int height = row.get("height").asInt();
            Canvas canvas = AnyresSizes.best(width, height);
            Size fit = AnyresSizes.fit(width, height, canvas);
            assertThat(text(new Size(canvas.height(), canvas.width())))
                    .as("%s", row)
                    .isEqualTo(text(row.get("anyres_canvas_hw")));
            assertThat(text(fit)).as("%s", row).isEqualTo(text(row.get("anyres_fit_hw")));
            assertThat(AnyresSizes.tokens(width, height, canvas))
                    .as("%s", row)
                    .isEqualTo(row.get("anyres_tokens").asInt());
        }
    }

    /** What is laid out tells the canvas again, for every size of some thousand of all aspects. */
    @Test
    void aFittedSizeTellsItsCanvas() {
        for (int width = 1; width < 6000; width += 1 + width / 40) {
            for (int height = 1; height < 6000; height += 1 + height / 40) {
                Canvas canvas = AnyresSizes.best(width, height);
                Size fit = AnyresSizes.fit(width, height, canvas);
                assertThat(AnyresSizes.filled(canvas.squares(), fit.width(), fit.height()))
                        .as("%d x %d", width, height)
                        .isEqualTo(canvas);
            }
        }
    }

    @Test
    void halvesAreRoundedToEven() throws BadPayload {
        assertThat(Sizes.smart(70, 42, 28, 1, 1 << 30)).isEqualTo(new Size(56, 56));
        assertThat(Sizes.smart(98, 126, 28, 1, 1 << 30)).isEqualTo(new Size(112, 112));
    }

    @Test
    void extremeAspectsAreRefusedWithTheirLimit() {
        assertThatThrownBy(() -> Sizes.smart(201, 1, 28, 3136, 12845056))
                .isInstanceOf(BadPayload.class)
                .hasMessageContaining("201 x 1")
                .hasMessageContaining("200");
    }

    private static String smart(JsonNode row, int factor, long minPixels, long maxPixels) {
        try {
            return text(
                    Sizes.smart(
                            row.get("width").asInt(),
                            row.get("height").asInt(),
                            factor,
                            minPixels,
                            maxPixels));
        } catch (BadPayload e) {
            return "error: ValueError";
        }
    }

    private static String text(Size size) {
        return "[%d,%d]".formatted(size.height(), size.width());
    }

    private static String text(JsonNode size) {
        return size.isTextual()
                ? size.asText()
                : "[%d,%d]".formatted(size.get(0).asInt(), size.get(1).asInt());
    }
}
