package io.headrace.media.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Once compiled, the kernels keep their vectors in registers: a picture leaves nothing to the garbage collector. */
class AllocationTest {
    private static final int MOST_PICTURES = 20_000;

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aPictureAllocatesNothing(Wire wire) throws Exception {
        for (Model model : List.of(Tensors.CLIP, Tensors.SIGLIP2, Tensors.QWEN)) {
            ImageProcessor processor = ImageProcessors.create(Tensors.spec(model, wire));
            try (Arena arena = Arena.ofConfined()) {
                Picture picture = new Picture(arena.allocate(3 * 150 * 100), 150, 100);
                ImageLayout layout = processor.layout(150, 100);
                long bytes =
                        layout.elements()
                                * (wire == Wire.FLOAT32 ? 4 : wire == Wire.BFLOAT16 ? 2 : 1);
                MemorySegment out = arena.allocate(bytes, 64);
                assertThat(least(processor, picture, layout, out)).as("%s", model).isZero();
            }
        }
    }

    /** Bytes of the first picture that allocates none, else of the last one: compilation comes at its own time. */
    private static long least(
            ImageProcessor processor, Picture picture, ImageLayout layout, MemorySegment out) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        for (int i = 0; i < MOST_PICTURES && bytes > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            processor.process(picture, layout, out);
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        return bytes;
    }
}
