package io.headrace.media.decode.raster;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes the first picture of a TIFF in strips or tiles: grey of 1 to 16 bits, palette, RGB, CMYK, each with or without a straight
 * alpha channel. Blocks are unpacked one after another into one array.
 */
public final class TiffDecoder {
    private static final int MOST_BLOCK_BYTES = 1 << 30;

    private final MemorySegment tiff;
    private final TiffTags tags;
    private final int width;
    private final int height;
    private final TiffPixels pixels;
    private final int compression;
    private final boolean planar;

    private TiffDecoder(MemorySegment tiff, int width, int height, boolean onWhite)
            throws BadPayload {
        this.tiff = tiff;
        this.width = width;
        this.height = height;
        tags = new TiffTags(tiff);
        compression = tags.value(TiffTags.COMPRESSION, 1);
        if (!TiffBlocks.knows(compression)) {
            throw new BadPayload(Reason.UNSUPPORTED, "TIFF with compression " + compression);
        }
        pixels = new TiffPixels(tags, onWhite);
        planar = tags.value(TiffTags.PLANAR, 1) == 2 && pixels.samples() > 1;
    }

    /**
     * Writes packed RGB rows as they are stored.
     *
     * @param width stored width: before the orientation of the file is applied
     * @param onWhite whether transparency is composed onto white; else it is dropped
     */
    public static void decode(
            MemorySegment tiff, int width, int height, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        new TiffDecoder(tiff, width, height, onWhite).blocks(rgb);
    }

    private void blocks(MemorySegment rgb) throws BadPayload {
        boolean tiled = tags.has(TiffTags.TILE_OFFSETS);
        int blockWidth = tiled ? tags.value(TiffTags.TILE_WIDTH, 0) : width;
        int blockHeight =
                tiled
                        ? tags.value(TiffTags.TILE_HEIGHT, 0)
                        : Math.min(tags.value(TiffTags.ROWS_PER_STRIP, height), height);
        long[] offsets = tags.list(tiled ? TiffTags.TILE_OFFSETS : TiffTags.STRIP_OFFSETS);
        long[] lengths = tags.list(tiled ? TiffTags.TILE_BYTES : TiffTags.STRIP_BYTES);
        if (blockWidth <= 0 || blockHeight <= 0) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "TIFF blocks of %d x %d pixels".formatted(blockWidth, blockHeight));
        }
        int across = (width + blockWidth - 1) / blockWidth;
        int down = (height + blockHeight - 1) / blockHeight;
        long count = (long) across * down;
        int planes = planar ? pixels.samples() : 1;
        if (offsets.length < count * planes || lengths.length < count * planes) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "TIFF with %d of %d blocks".formatted(offsets.length, count * planes));
        }
        for (int block = 0; block < count; block++) {
            int left = block % across * blockWidth;
            int top = block / across * blockHeight;
            int rows = tiled ? blockHeight : Math.min(blockHeight, height - top);
            byte[][] data = new byte[planes][];
            for (int plane = 0; plane < planes; plane++) {
                int index = (int) (plane * count + block);
                data[plane] = block(offsets[index], lengths[index], blockWidth, rows);
            }
            byte[] chunky = planar ? interleaved(data, blockWidth * rows) : data[0];
            emit(chunky, blockWidth, left, top, rgb);
        }
    }

    private long rowBytes(int columns) {
        return ((long) columns * (planar ? 1 : pixels.samples()) * pixels.bits() + 7) / 8;
    }

    private byte[] block(long offset, long length, int columns, int rows) throws BadPayload {
        long bytes = rowBytes(columns) * rows;
        if (offset < 0 || length < 0 || length > tiff.byteSize() - offset) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "TIFF block of %d bytes at %d in %d bytes"
                            .formatted(length, offset, tiff.byteSize()),
                    tiff.byteSize());
        }
        if (bytes > MOST_BLOCK_BYTES) {
            throw new BadPayload(Reason.UNSUPPORTED, "TIFF block of %d bytes".formatted(bytes));
        }
        byte[] block = new byte[(int) bytes];
        TiffBlocks.unpack(compression, tiff.asSlice(offset, length), block);
        if (tags.value(TiffTags.FILL_ORDER, 1) == 2) {
            for (int i = 0; i < block.length; i++) {
                block[i] = (byte) (Integer.reverse(block[i]) >>> 24);
            }
        }
        int predictor = tags.value(TiffTags.PREDICTOR, 1);
        if (predictor == 2 && compression != 1 && compression != 32773) {
            undoDifferences(block, (int) rowBytes(columns));
        } else if (predictor > 2) {
            throw new BadPayload(Reason.UNSUPPORTED, "TIFF with predictor " + predictor);
        }
        return block;
    }

    private void undoDifferences(byte[] block, int rowBytes) throws BadPayload {
        int step = planar ? 1 : pixels.samples();
        if (pixels.bits() == 8) {
            for (int row = 0; row < block.length; row += rowBytes) {
                for (int i = row + step; i < row + rowBytes; i++) {
                    block[i] += block[i - step];
                }
            }
        } else if (pixels.bits() == 16) {
            for (int row = 0; row < block.length; row += rowBytes) {
                for (int i = row + 2 * step; i + 1 < row + rowBytes; i += 2) {
                    pixels.put16(
                            block, i, pixels.get16(block, i) + pixels.get16(block, i - 2 * step));
                }
            }
        } else {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "TIFF with differences of %d bits".formatted(pixels.bits()));
        }
    }

    private byte[] interleaved(byte[][] planes, int count) throws BadPayload {
        int bytes = pixels.bits() / 8;
        if (pixels.bits() % 8 != 0) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "TIFF with planes of %d bits".formatted(pixels.bits()));
        }
        byte[] chunky = new byte[Math.multiplyExact(count, planes.length * bytes)];
        for (int plane = 0; plane < planes.length; plane++) {
            for (int i = 0; i < count; i++) {
                for (int b = 0; b < bytes; b++) {
                    chunky[(i * planes.length + plane) * bytes + b] = planes[plane][i * bytes + b];
                }
            }
        }
        return chunky;
    }

    private void emit(byte[] block, int columns, int left, int top, MemorySegment rgb) {
        int rowBytes = (int) (((long) columns * pixels.samples() * pixels.bits() + 7) / 8);
        int shown = Math.min(columns, width - left);
        int rows = Math.min(block.length / rowBytes, height - top);
        byte[] row = new byte[3 * shown];
        for (int y = 0; y < rows; y++) {
            pixels.convert(block, y * rowBytes, shown, row);
            long to = 3L * ((long) (top + y) * width + left);
            MemorySegment.copy(row, 0, rgb, ValueLayout.JAVA_BYTE, to, row.length);
        }
    }
}
