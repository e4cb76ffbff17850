package io.headrace.media.process;

import io.headrace.media.decode.Picture;
import io.headrace.media.resize.Scratch;
import java.lang.foreign.MemorySegment;

/** Copies of pictures in the middle of a grey square. Owns the memory of the last one; not thread-safe. */
final class PaddedSquare {
    private final byte level;
    private final Scratch memory = new Scratch();

    /**
     * @param level of what surrounds the picture, in all channels
     */
    PaddedSquare(int level) {
        this.level = (byte) level;
    }

    /** The picture itself if it is square, else a copy that holds until the next call; the smaller half lies left or above. */
    Picture of(Picture picture) {
        int side = Math.max(picture.width(), picture.height());
        if (picture.width() == picture.height()) {
            return picture;
        }
        long bytes = 3L * side * side;
        MemorySegment square = Scratch.MEMORY.asSlice(memory.address(bytes), bytes);
        square.fill(level);
        long left = 3L * ((side - picture.width()) / 2);
        int top = (side - picture.height()) / 2;
        long line = 3L * picture.width();
        for (int y = 0; y < picture.height(); y++) {
            MemorySegment.copy(picture.rgb(), y * line, square, 3L * side * (top + y) + left, line);
        }
        return new Picture(square, side, side);
    }
}
