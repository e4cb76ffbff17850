package io.headrace.media.process;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Quality;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.engine.recipe.ProcessSpec.TextSpec;
import io.headrace.engine.recipe.ProcessSpec.VideoSpec;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Runs processors as the recipe's models name them. */
final class Tensors {
    static final Model CLIP = new Model.Clip(224);
    static final Model SIGLIP = new Model.Siglip(384);
    static final Model SIGLIP2 = new Model.Siglip2(16, 256);
    static final Model QWEN = new Model.Qwen25Vl(3136, 12845056, VideoSpec.QWEN2_5);

    static final Model QWEN3 = new Model.Qwen3Vl(65536, 16777216, VideoSpec.QWEN3);
    static final Model INTERN = new Model.InternVl(12);
    static final Model LLAVA = new Model.LlavaOnevision(32);

    private Tensors() {}

    static Model model(String name) {
        return switch (name) {
            case "clip" -> CLIP;
            case "siglip" -> SIGLIP;
            case "siglip2_naflex" -> SIGLIP2;
            case "qwen2_vl" -> QWEN;
            case "qwen3_vl" -> QWEN3;
            case "internvl" -> INTERN;
            case "llava_onevision", "llava_onevision_several" -> LLAVA;
            default -> throw new AssertionError(name);
        };
    }

    static ProcessSpec spec(Model model, Wire wire) {
        TextSpec text = new TextSpec(null, Template.PLAIN, 1);
        return new ProcessSpec(model, Quality.EXACT, wire, Alpha.WHITE, true, 1 << 28, text);
    }

    /** The tensor of a picture that is alone in its sample. */
    static byte[] tensor(Model model, Wire wire, Picture picture) throws BadPayload {
        return tensor(model, wire, picture, 1);
    }

    /** The tensor of one of some pictures of a sample. */
    static byte[] tensor(Model model, Wire wire, Picture picture, int pictures) throws BadPayload {
        ImageProcessor processor = ImageProcessors.create(spec(model, wire));
        ImageLayout layout = processor.layout(picture.width(), picture.height(), pictures);
        int bytes =
                switch (wire) {
                    case FLOAT32 -> 4;
                    case BFLOAT16 -> 2;
                    case UINT8 -> 1;
                };
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(layout.elements() * bytes, 64);
            processor.process(picture, layout, out);
            return out.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
