package io.headrace.media.resize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
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
public final class Golden {
    private Golden() {}

    public static JsonNode json(String name) {
        try {
            return new ObjectMapper().readTree(bytes("/vectors/" + name));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    /** A decoded picture in memory of its own. */
    public static Picture picture(String name, Alpha alpha) throws BadPayload {
        try (ImageDecoder decoder = new ImageDecoder()) {
            MemorySegment encoded = MemorySegment.ofArray(bytes("/pictures/" + name));
            Picture picture = decoder.decode(encoded, DecodeOptions.exact(alpha, 1 << 28));
            MemorySegment copy = Arena.ofAuto().allocate(picture.rgb().byteSize());
            copy.copyFrom(picture.rgb());
            return new Picture(copy, picture.width(), picture.height());
        }
    }

    public static long crc(byte[] bytes, int from, int length) {
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
