package io.headrace.media.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * From AV1 samples to RGB as libavif does it with libyuv: chroma is weighted 9:3:3:1 (3:1 where only columns are halved), then a
 * matrix in six bits of fixed point. The last column takes the chroma at hand alone. Samples of more than 8 bits keep their highest 8.
 */
final class AvifColours {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    /** Weights of U in blue and green, of V in green and red, of Y, and what is added to Y; 64 is one. */
    private record Matrix(int ub, int ug, int vg, int vr, int yg, int bias) {}

    private static final Matrix FULL_601 = new Matrix(113, 22, 46, 90, 16320, 32);
    private static final Matrix LIMITED_601 = new Matrix(128, 25, 52, 102, 18997, -1160);
    private static final Matrix FULL_709 = new Matrix(119, 12, 30, 101, 16320, 32);
    private static final Matrix LIMITED_709 = new Matrix(128, 14, 34, 115, 18997, -1160);
    private static final Matrix FULL_2020 = new Matrix(120, 11, 37, 94, 16320, 32);
    private static final Matrix LIMITED_2020 = new Matrix(128, 12, 42, 107, 19003, -1160);

    private final FfmpegPicture picture;
    private final int width;
    private final int shiftX;
    private final int shiftY;
    private final int depth;
    private final boolean grey;
    private final boolean fullRange;
    private final Matrix matrix;
    private final MemorySegment[] planes = new MemorySegment[3];
    private final int chromaWidth;
    private final int chromaHeight;
    private final int[][] near = new int[3][];
    private final int[] far;
    private final byte[] bytes;
    private final int[] light = new int[256];
    private final int[][] chroma = new int[3][];

    /** The layout of a picture's planes. */
    record Layout(int shiftX, int shiftY, int depth, boolean grey) {}

    AvifColours(FfmpegPicture picture, Layout layout, int matrix, boolean fullRange)
            throws BadPayload {
        this.picture = picture;
        this.fullRange = fullRange;
        this.width = picture.width();
        this.shiftX = layout.shiftX();
        this.shiftY = layout.shiftY();
        this.depth = layout.depth();
        this.grey = layout.grey();
        this.matrix = matrix(matrix, fullRange);
        chromaWidth = (width + shiftX) >> shiftX;
        chromaHeight = (picture.height() + shiftY) >> shiftY;
        for (int i = 0; i < (grey ? 1 : 3); i++) {
            planes[i] = picture.plane(i, i == 0 ? picture.height() : chromaHeight);
            near[i] = new int[i == 0 ? width : chromaWidth];
            chroma[i] = new int[width + 1];
        }
        far = new int[chromaWidth];
        bytes = new byte[width];
        for (int level = 0; level < 256; level++) {
            light[level] = (int) ((level * 0x0101L * this.matrix.yg) >> 16) + this.matrix.bias;
        }
    }

    private Matrix matrix(int coefficients, boolean fullRange) throws BadPayload {
        return switch (coefficients) {
            case 1 -> fullRange ? FULL_709 : LIMITED_709;
            case 2, 5, 6 -> fullRange ? FULL_601 : LIMITED_601;
            case 9 -> fullRange ? FULL_2020 : LIMITED_2020;
            default -> {
                if (grey) {
                    yield FULL_601;
                }
                throw new BadPayload(
                        Reason.UNSUPPORTED, "AVIF with matrix coefficients " + coefficients);
            }
        };
    }

    /** Writes one row as RGB. */
    void row(int y, byte[] rgb) {
        samples(0, y, near[0]);
        if (grey) {
            greyRow(rgb);
            return;
        }
        for (int i = 1; i < 3; i++) {
            int nearest = y >> shiftY;
            samples(i, nearest, near[i]);
            int other = shiftY == 0 ? nearest : nearest + ((y & 1) == 0 ? -1 : 1);
            samples(i, Math.clamp(other, 0, chromaHeight - 1), far);
            if (shiftX == 0) {
                System.arraycopy(near[i], 0, chroma[i], 0, width);
            } else {
                upsample(near[i], chroma[i]);
            }
        }
        colourRow(rgb);
    }

    private void samples(int plane, int row, int[] out) {
        long from = (long) row * picture.stride(plane);
        int count = plane == 0 ? width : chromaWidth;
        if (depth == 8) {
            MemorySegment.copy(planes[plane], BYTE, from, bytes, 0, count);
            for (int i = 0; i < count; i++) {
                out[i] = bytes[i] & 0xFF;
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            out[i] = planes[plane].get(SHORT, from + 2L * i) >> (depth - 8);
        }
    }

    private void upsample(int[] near, int[] out) {
        for (int x = 0; x < width; x++) {
            int at = x >> 1;
            int beside = x == width - 1 ? at : Math.max(0, (x & 1) == 0 ? at - 1 : at + 1);
            out[x] =
                    shiftY == 0
                            ? (3 * near[at] + near[beside] + 2) >> 2
                            : (9 * near[at] + 3 * near[beside] + 3 * far[at] + far[beside] + 8)
                                    >> 4;
        }
    }

    private void greyRow(byte[] rgb) {
        for (int x = 0; x < width; x++) {
            int level = near[0][x];
            if (!fullRange) {
                level = Math.clamp(Math.round((level - 16) * 255 / 219f), 0, 255);
            }
            rgb[3 * x] = (byte) level;
            rgb[3 * x + 1] = (byte) level;
            rgb[3 * x + 2] = (byte) level;
        }
    }

    private void colourRow(byte[] rgb) {
        int[] luma = near[0];
        int[] us = chroma[1];
        int[] vs = chroma[2];
        for (int x = 0; x < width; x++) {
            int y = light[luma[x] & 0xFF];
            int u = us[x] - 128;
            int v = vs[x] - 128;
            rgb[3 * x] = clipped(y + v * matrix.vr);
            rgb[3 * x + 1] = clipped(y - u * matrix.ug - v * matrix.vg);
            rgb[3 * x + 2] = clipped(y + u * matrix.ub);
        }
    }

    private static byte clipped(int value) {
        return (byte) Math.max(0, Math.min(255, value >> 6));
    }
}
