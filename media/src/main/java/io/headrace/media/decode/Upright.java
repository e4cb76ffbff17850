package io.headrace.media.decode;

import io.headrace.engine.descriptor.Orientation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Turns packed RGB rows upright. Every orientation is an affine walk over the source, done in tiles that stay in the cache.
 * Pixels move as four bytes where three count: the fourth is overwritten by the next pixel, and the last of a row moves as three.
 */
public final class Upright {
    private static final int TILE = 64;
    private static final ValueLayout.OfInt FOUR_BYTES = ValueLayout.JAVA_INT_UNALIGNED;

    private Upright() {}

    /**
     * @param stored rows as they are stored, one readable byte behind them unless they stay upright
     * @param stride bytes from one stored row to the next
     * @param width stored width in pixels
     * @param height stored height in pixels
     * @param upright other memory that takes as many bytes
     */
    public static void turn(
            MemorySegment stored,
            int stride,
            int width,
            int height,
            Orientation orientation,
            MemorySegment upright) {
        long row = stride;
        long right = 3 * (width - 1L);
        long bottom = row * (height - 1L);
        switch (orientation) {
            case UPRIGHT -> copy(stored, stride, width, height, upright);
            case MIRRORED -> walk(stored, right, -3, row, upright, width, height);
            case ROTATED_180 -> walk(stored, bottom + right, -3, -row, upright, width, height);
            case FLIPPED -> walk(stored, bottom, 3, -row, upright, width, height);
            case TRANSPOSED -> walk(stored, 0, row, 3, upright, height, width);
            case ROTATED_90 -> walk(stored, bottom, -row, 3, upright, height, width);
            case TRANSVERSED -> walk(stored, bottom + right, -row, -3, upright, height, width);
            case ROTATED_270 -> walk(stored, right, row, -3, upright, height, width);
        }
    }

    private static void copy(
            MemorySegment stored, int stride, int width, int height, MemorySegment upright) {
        long row = 3L * width;
        for (int y = 0; y < height; y++) {
            MemorySegment.copy(stored, (long) y * stride, upright, y * row, row);
        }
    }

    /** Pixel (x, y) of the result is at {@code origin + x * stepX + y * stepY} of the source, in bytes. */
    private static void walk(
            MemorySegment stored,
            long origin,
            long stepX,
            long stepY,
            MemorySegment upright,
            int width,
            int height) {
        for (int tileY = 0; tileY < height; tileY += TILE) {
            int endY = Math.min(tileY + TILE, height);
            for (int tileX = 0; tileX < width; tileX += TILE) {
                int endX = Math.min(tileX + TILE, width);
                for (int y = tileY; y < endY; y++) {
                    long from = origin + tileX * stepX + y * stepY;
                    long to = 3L * ((long) y * width + tileX);
                    run(stored, from, stepX, upright, to, endX - tileX);
                }
            }
        }
    }

    private static void run(
            MemorySegment stored,
            long from,
            long step,
            MemorySegment upright,
            long to,
            int pixels) {
        int most = pixels - 1;
        for (int i = 0; i < most; i++) {
            upright.set(FOUR_BYTES, to + 3L * i, stored.get(FOUR_BYTES, from + i * step));
        }
        int last = stored.get(FOUR_BYTES, from + most * step);
        upright.set(ValueLayout.JAVA_BYTE, to + 3L * most, (byte) last);
        upright.set(ValueLayout.JAVA_BYTE, to + 3L * most + 1, (byte) (last >> 8));
        upright.set(ValueLayout.JAVA_BYTE, to + 3L * most + 2, (byte) (last >> 16));
    }
}
