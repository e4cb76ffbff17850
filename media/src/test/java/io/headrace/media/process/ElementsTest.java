package io.headrace.media.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every level becomes the table's value, in each element type, and nothing next to the elements is written. */
class ElementsTest {
    private static final int FENCE = 128;
    private static final Normalisation CLIP = Normalisation.clip();
    private static final Elements[] ALL = {
        new FloatElements(CLIP), new BfloatElements(CLIP), new LevelElements()
    };

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8, 13, 16, 17, 31, 33, 224, 256, 384})
    void runsOfAnyLength(int count) {
        for (Elements elements : ALL) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = levels(arena, count);
                MemorySegment out = fenced(arena, (long) count * elements.bytes());
                elements.run(1, in.address(), count, out.address() + FENCE);
                for (int i = 0; i < count; i++) {
                    assertElement(elements, 1, level(in, i), out, i);
                }
                assertFence(out, (long) count * elements.bytes());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 8, 14, 16, 20})
    void squaresAreWrittenTwice(int side) {
        int stride = 64;
        for (Elements elements : ALL) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = levels(arena, stride * side);
                long bytes = 2L * side * side * elements.bytes();
                MemorySegment out = fenced(arena, bytes);
                elements.square(
                        2,
                        in.address(),
                        stride,
                        side,
                        out.address() + FENCE,
                        (long) side * side * elements.bytes());
                for (int i = 0; i < 2 * side * side; i++) {
                    int y = i / side % side;
                    assertElement(elements, 2, level(in, y * stride + i % side), out, i);
                }
                assertFence(out, bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 8, 14, 16, 20})
    void squaresAreWrittenOnce(int side) {
        int stride = 64;
        for (Elements elements : ALL) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = levels(arena, stride * side);
                long bytes = (long) side * side * elements.bytes();
                MemorySegment out = fenced(arena, bytes);
                elements.square(1, in.address(), stride, side, out.address() + FENCE, 0);
                for (int i = 0; i < side * side; i++) {
                    assertElement(elements, 1, level(in, i / side * stride + i % side), out, i);
                }
                assertFence(out, bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 14, 16, 32})
    void pixelsHaveTheirChannelsInnermost(int count) {
        int plane = 100;
        for (Elements elements : ALL) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = levels(arena, 3 * plane);
                long bytes = 3L * count * elements.bytes();
                MemorySegment out = fenced(arena, bytes);
                elements.pixels(in.address(), plane, count, out.address() + FENCE);
                for (int i = 0; i < 3 * count; i++) {
                    assertElement(elements, i % 3, level(in, i % 3 * plane + i / 3), out, i);
                }
                assertFence(out, bytes);
            }
        }
    }

    /** All 256 levels, then random ones. */
    private static MemorySegment levels(Arena arena, int count) {
        MemorySegment in = arena.allocate(count + 64L, 64);
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            in.set(JAVA_BYTE, i, (byte) (i < 256 ? i : random.nextInt(256)));
        }
        return in;
    }

    private static int level(MemorySegment in, int at) {
        return in.get(JAVA_BYTE, at) & 0xff;
    }

    private static MemorySegment fenced(Arena arena, long bytes) {
        return arena.allocate(bytes + 2 * FENCE, 64).fill((byte) 0x5a);
    }

    private static void assertElement(
            Elements elements, int channel, int level, MemorySegment out, int at) {
        switch (elements) {
            case FloatElements floats ->
                    assertThat(Float.floatToRawIntBits(out.get(JAVA_FLOAT, FENCE + 4L * at)))
                            .isEqualTo(Float.floatToRawIntBits(CLIP.value(channel, level)));
            case BfloatElements halves ->
                    assertThat(out.get(JAVA_SHORT, FENCE + 2L * at))
                            .isEqualTo(Normalisation.bfloat16(CLIP.value(channel, level)));
            case LevelElements levels ->
                    assertThat(out.get(JAVA_BYTE, FENCE + at)).isEqualTo((byte) level);
        }
    }

    private static void assertFence(MemorySegment out, long bytes) {
        for (int i = 0; i < FENCE; i++) {
            assertThat(out.get(JAVA_BYTE, i)).isEqualTo((byte) 0x5a);
            assertThat(out.get(JAVA_BYTE, FENCE + bytes + i)).isEqualTo((byte) 0x5a);
        }
    }
}
