package io.headrace.media.resize;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.media.decode.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a {@link Resizer} over a whole window and gives packed RGB rows. */
final class Resized {

    private Resized() {}

    static byte[] of(Resizer resizer, Picture picture, Window window, int bandRows) {
        int stride = Resizer.stride(window.columns());
        byte[] out = new byte[3 * window.columns() * window.rows()];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment band =
                    arena.allocate(3L * stride * bandRows + Scratch.LINE, Scratch.LINE);
            resizer.begin(picture, window, bandRows);
            for (int row = 0; row < window.rows(); row += bandRows) {
                int rows = Math.min(bandRows, window.rows() - row);
                resizer.rows(row, rows, band.address());
                pack(band, stride, row, rows, window.columns(), out);
            }
        }
        return out;
    }

    private static void pack(
            MemorySegment band, int stride, int row, int rows, int columns, byte[] out) {
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < rows; y++) {
                for (int x = 0; x < columns; x++) {
                    out[((row + y) * columns + x) * 3 + c] =
                            band.get(JAVA_BYTE, ((long) c * rows + y) * stride + x);
                }
            }
        }
    }
}
