package io.headrace.media.resize;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.decode.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The resize is torchvision's, and the kernels give what the scalar restatement gives. */
class ResizeTest {

    @Test
    void realPicturesAreAsTorchvisionResizesThem() throws Exception {
        for (JsonNode row : Golden.json("resize.json")) {
            Picture picture = Golden.picture(row.get("media").asText(), Alpha.DROP);
            Window window =
                    Window.whole(row.get("to").get(0).asInt(), row.get("to").get(1).asInt());
            Filter filter = Filter.valueOf(row.get("kernel").asText().toUpperCase(Locale.ROOT));
            byte[] resized = Resized.of(new Resizer(filter), picture, window, 16);
            assertThat(Golden.crc(resized, 0, resized.length))
                    .as("%s", row)
                    .isEqualTo(row.get("crc32").asLong());
        }
    }

    @Test
    void kernelsEqualTheScalarResizeOverRandomSizes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Resizer cubic = new Resizer(Filter.BICUBIC);
        Resizer linear = new Resizer(Filter.BILINEAR);
        for (int i = 0; i < 150; i++) {
            Filter filter = random.nextBoolean() ? Filter.BICUBIC : Filter.BILINEAR;
            int width = 1 + random.nextInt(random.nextInt(10) == 0 ? 900 : 120);
            int height = 1 + random.nextInt(random.nextInt(10) == 0 ? 900 : 120);
            int toWidth = random.nextInt(8) == 0 ? width : 1 + random.nextInt(200);
            int toHeight = random.nextInt(8) == 0 ? height : 1 + random.nextInt(200);
            byte[] rgb = noise(random, width, height);
            int left = random.nextInt(toWidth);
            int top = random.nextInt(toHeight);
            Window window =
                    new Window(
                            toWidth,
                            toHeight,
                            left,
                            top,
                            1 + random.nextInt(toWidth - left),
                            1 + random.nextInt(toHeight - top));
            Resizer resizer = filter == Filter.BICUBIC ? cubic : linear;
            byte[] resized =
                    Resized.of(
                            resizer, picture(rgb, width, height), window, 1 + random.nextInt(40));
            byte[] expected =
                    cut(ScalarResize.resize(rgb, width, height, toWidth, toHeight, filter), window);
            assertThat(resized)
                    .as("seed %d: %s of %d x %d, %s", seed, filter, width, height, window)
                    .isEqualTo(expected);
        }
    }

    @Test
    void heapPicturesAreTakenToo() {
        byte[] rgb = noise(new Random(7), 50, 40);
        Picture onHeap = new Picture(MemorySegment.ofArray(rgb), 50, 40);
        Window window = Window.whole(28, 56);
        assertThat(Resized.of(new Resizer(Filter.BICUBIC), onHeap, window, 28))
                .isEqualTo(ScalarResize.resize(rgb, 50, 40, 28, 56, Filter.BICUBIC));
    }

    /** Half noise, half flat black and white, where rounding and clipping show. */
    static byte[] noise(Random random, int width, int height) {
        byte[] rgb = new byte[3 * width * height];
        random.nextBytes(rgb);
        for (int i = 0; i < rgb.length / 2; i++) {
            rgb[i] = (byte) (rgb[i] < 0 ? 0 : 255);
        }
        return rgb;
    }

    static Picture picture(byte[] rgb, int width, int height) {
        MemorySegment memory = Arena.ofAuto().allocate(rgb.length);
        memory.copyFrom(MemorySegment.ofArray(rgb));
        return new Picture(memory, width, height);
    }

    private static byte[] cut(byte[] rgb, Window window) {
        byte[] out = new byte[3 * window.columns() * window.rows()];
        for (int y = 0; y < window.rows(); y++) {
            int from = 3 * ((window.top() + y) * window.width() + window.left());
            System.arraycopy(rgb, from, out, 3 * y * window.columns(), 3 * window.columns());
        }
        return out;
    }
}
