package io.headrace.media.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Quality;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.engine.recipe.ProcessSpec.TextSpec;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.decode.DecodeOptions;
import io.headrace.media.decode.ImageDecoder;
import io.headrace.media.decode.Picture;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.zip.CRC32;

/** The project's copies of pictures and of what the Hugging Face processors make of them. */
final class Golden {
    static final Model CLIP = new Model.Clip(224);
    static final Model SIGLIP = new Model.Siglip(384);
    static final Model SIGLIP2 = new Model.Siglip2(16, 256);
    static final Model QWEN = new Model.Qwen25Vl(3136, 12845056);

    private Golden() {}

    static JsonNode json(String name) {
        try {
            return new ObjectMapper().readTree(bytes("/vectors/" + name));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    static Model model(String name) {
        return switch (name) {
            case "clip" -> CLIP;
            case "siglip" -> SIGLIP;
            case "siglip2_naflex" -> SIGLIP2;
            case "qwen2_vl" -> QWEN;
            default -> throw new AssertionError(name);
        };
    }

    static ProcessSpec spec(Model model, Wire wire) {
        TextSpec text = new TextSpec(null, Template.PLAIN, 1);
        return new ProcessSpec(model, Quality.EXACT, wire, Alpha.WHITE, true, 1 << 28, text);
    }

    /** A decoded picture in memory of its own. */
    static Picture picture(String name, Alpha alpha) throws BadPayload {
        try (ImageDecoder decoder = new ImageDecoder()) {
            MemorySegment encoded = MemorySegment.ofArray(bytes("/pictures/" + name));
            Picture picture = decoder.decode(encoded, DecodeOptions.exact(alpha, 1 << 28));
            MemorySegment copy = Arena.ofAuto().allocate(picture.rgb().byteSize());
            copy.copyFrom(picture.rgb());
            return new Picture(copy, picture.width(), picture.height());
        }
    }

    /** The tensor of a picture. */
    static byte[] tensor(Model model, Wire wire, Picture picture) throws BadPayload {
        ImageProcessor processor = ImageProcessors.create(spec(model, wire));
        ImageLayout layout = processor.layout(picture.width(), picture.height());
        int bytes =
                switch (wire) {
                    case FLOAT32 -> 4;
                    case BFLOAT16 -> 2;
                    case UINT8 -> 1;
                };
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(layout.elements() * bytes, 64);
            processor.process(picture, layout, out);
            return out.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    static long crc(byte[] bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    private static byte[] bytes(String resource) {
        try (InputStream in = Golden.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(resource, e);
        }
    }
}
