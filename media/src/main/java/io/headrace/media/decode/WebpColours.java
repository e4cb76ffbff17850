package io.headrace.media.decode;

import io.headrace.engine.descriptor.BadPayload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * From 4:2:0 samples to RGB as libwebp does it: each chroma value is weighted 9:3:3:1 with its neighbours (in two halvings, which
 * round), then BT.601 in 14 bits of fixed point. At the edges the nearest chroma rows and columns count twice.
 */
final class WebpColours {
    private static final int LUMA = 19077;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private MemorySegment luma = MemorySegment.NULL;
    private MemorySegment[] chroma = new MemorySegment[0];
    private int[] strides = new int[0];
    private int width;
    private int chromaWidth;
    private int chromaHeight;
    private byte[] lumaRow = new byte[0];
    private final byte[][] near = new byte[2][];
    private final byte[][] far = new byte[2][];
    private final byte[][] upsampled = new byte[2][];

    /** Takes the planes of a picture that stays open as long as its rows are asked for. */
    void open(FfmpegPicture picture) throws BadPayload {
        width = picture.width();
        chromaWidth = (width + 1) / 2;
        chromaHeight = (picture.height() + 1) / 2;
        luma = picture.plane(0, picture.height());
        chroma =
                new MemorySegment[] {
                    picture.plane(1, chromaHeight), picture.plane(2, chromaHeight)
                };
        strides = new int[] {picture.stride(0), picture.stride(1), picture.stride(2)};
        if (lumaRow.length < width) {
            lumaRow = new byte[width];
            for (int i = 0; i < 2; i++) {
                near[i] = new byte[chromaWidth];
                far[i] = new byte[chromaWidth];
                upsampled[i] = new byte[width + 1];
            }
        }
    }

    /** Writes one row as RGB. */
    void row(int y, byte[] rgb) {
        MemorySegment.copy(luma, BYTE, (long) y * strides[0], lumaRow, 0, width);
        int nearest = y / 2;
        int other = Math.clamp(y % 2 == 0 ? nearest - 1 : nearest + 1, 0, chromaHeight - 1);
        for (int i = 0; i < 2; i++) {
            long stride = strides[i + 1];
            MemorySegment.copy(chroma[i], BYTE, nearest * stride, near[i], 0, chromaWidth);
            MemorySegment.copy(chroma[i], BYTE, other * stride, far[i], 0, chromaWidth);
            upsample(near[i], far[i], upsampled[i]);
        }
        convert(upsampled[0], upsampled[1], rgb);
    }

    private void upsample(byte[] near, byte[] far, byte[] out) {
        int left = near[0] & 0xFF;
        int farLeft = far[0] & 0xFF;
        out[0] = (byte) ((3 * left + farLeft + 2) >> 2);
        int pairs = (width - 1) / 2;
        for (int x = 1; x <= pairs; x++) {
            int right = near[x] & 0xFF;
            int farRight = far[x] & 0xFF;
            int sum = left + right + farLeft + farRight + 8;
            int rising = (sum + 2 * (farLeft + right)) >> 3;
            int falling = (sum + 2 * (left + farRight)) >> 3;
            out[2 * x - 1] = (byte) ((rising + left) >> 1);
            out[2 * x] = (byte) ((falling + right) >> 1);
            left = right;
            farLeft = farRight;
        }
        if (width % 2 == 0) {
            out[width - 1] = (byte) ((3 * left + farLeft + 2) >> 2);
        }
    }

    private void convert(byte[] us, byte[] vs, byte[] rgb) {
        for (int x = 0; x < width; x++) {
            int light = ((lumaRow[x] & 0xFF) * LUMA) >> 8;
            int u = us[x] & 0xFF;
            int v = vs[x] & 0xFF;
            rgb[3 * x] = clipped(light + ((v * 26149) >> 8) - 14234);
            rgb[3 * x + 1] = clipped(light - ((u * 6419) >> 8) - ((v * 13320) >> 8) + 8708);
            rgb[3 * x + 2] = clipped(light + ((u * 33050) >> 8) - 17685);
        }
    }

    private static byte clipped(int value) {
        return (byte) Math.max(0, Math.min(255, value >> 6));
    }
}
