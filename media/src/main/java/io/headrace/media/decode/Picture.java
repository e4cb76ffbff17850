package io.headrace.media.decode;

import java.lang.foreign.MemorySegment;

/**
 * A decoded picture: packed 8-bit RGB rows from top to bottom, {@code 3 * width} bytes each, without gaps. The memory belongs to the
 * decoder that made it and holds until its next call.
 */
public record Picture(MemorySegment rgb, int width, int height) {
    public Picture {
        if (rgb.byteSize() < 3L * width * height) {
            throw new IllegalArgumentException(
                    "Picture of %d x %d in %d bytes".formatted(width, height, rgb.byteSize()));
        }
    }
}
