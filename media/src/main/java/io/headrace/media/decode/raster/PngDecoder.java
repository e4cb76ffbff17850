package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.zip.Inflater;

/**
 * Decodes the first picture of a PNG, of every colour type, depth and interlacing. Rows are inflated and unfiltered one after another
 * in two buffers that grow to the longest row. Owns an inflater; used by one thread at a time.
 */
public final class PngDecoder implements AutoCloseable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** Left, top, step right and step down of the seven passes of Adam7, then of a picture in one pass. */
    private static final int[][] PASSES = {
        {0, 0, 8, 8},
        {4, 0, 8, 8},
        {0, 4, 4, 8},
        {2, 0, 4, 4},
        {0, 2, 2, 4},
        {1, 0, 2, 2},
        {0, 1, 1, 2},
        {0, 0, 1, 1}
    };

    private final Inflater inflater = new Inflater();
    private byte[] row = new byte[0];
    private byte[] above = new byte[0];
    private byte[] rgbRow = new byte[0];

    /**
     * Writes packed RGB rows.
     *
     * @param onWhite whether transparency is composed onto white; else it is dropped
     */
    public void decode(MemorySegment png, int width, int height, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        PngChunks chunks = PngChunks.open(png, inflater);
        PngPixels pixels =
                new PngPixels(
                        png.get(BYTE, 25),
                        png.get(BYTE, 24),
                        onWhite,
                        chunks.palette(),
                        chunks.transparency());
        long rowBytes = pixels.step() + pixels.rowBytes(width);
        if (rowBytes > Integer.MAX_VALUE - 8 || 3L * width > Integer.MAX_VALUE - 8) {
            throw new BadPayload(Reason.UNSUPPORTED, "PNG row of %d bytes".formatted(rowBytes));
        }
        grow((int) rowBytes, 3 * width);
        boolean interlaced = png.get(BYTE, 28) != 0;
        for (int pass = interlaced ? 0 : 7; pass < (interlaced ? 7 : 8); pass++) {
            pass(chunks, pixels, PASSES[pass], width, height, rgb);
        }
    }

    private void grow(int rowBytes, int rgbBytes) {
        if (row.length < rowBytes) {
            row = new byte[rowBytes];
            above = new byte[rowBytes];
        }
        if (rgbRow.length < rgbBytes) {
            rgbRow = new byte[rgbBytes];
        }
    }

    private void pass(
            PngChunks chunks,
            PngPixels pixels,
            int[] pass,
            int width,
            int height,
            MemorySegment rgb)
            throws BadPayload {
        int columns = (width - pass[0] + pass[2] - 1) / pass[2];
        if (columns <= 0) {
            return;
        }
        int step = pixels.step();
        int end = step + (int) pixels.rowBytes(columns);
        Arrays.fill(above, 0, end, (byte) 0);
        for (int y = pass[1]; y < height; y += pass[3]) {
            // The filter type is read into the last of the bytes to the left, which are 0 to the
            // filters.
            chunks.inflate(row, step - 1, end - step + 1);
            int filter = row[step - 1];
            Arrays.fill(row, 0, step, (byte) 0);
            PngFilter.undo(filter, row, above, step, end);
            emit(pixels, columns, pass, 3L * width * y, rgb);
            byte[] spent = above;
            above = row;
            row = spent;
        }
    }

    private void emit(PngPixels pixels, int columns, int[] pass, long to, MemorySegment rgb) {
        int step = pixels.step();
        if (pixels.isPlain() && pass[2] == 1) {
            MemorySegment.copy(row, step, rgb, BYTE, to, 3 * columns);
            return;
        }
        pixels.convert(row, step, columns, rgbRow);
        if (pass[2] == 1) {
            MemorySegment.copy(rgbRow, 0, rgb, BYTE, to, 3 * columns);
            return;
        }
        for (int i = 0; i < columns; i++) {
            MemorySegment.copy(rgbRow, 3 * i, rgb, BYTE, to + 3L * (pass[0] + i * pass[2]), 3);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
