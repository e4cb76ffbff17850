package io.headrace.media.decode;

import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_WEBP;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_ARGB;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_YUV420P;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_YUVA420P;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.decode.raster.OnWhite;
import io.headrace.media.probe.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the first picture of a WebP: the samples by FFmpeg, whose VP8 and VP8L are bit-exact, their colours as libwebp makes them
 * ({@link WebpColours}). Keeps rows of one picture as scratch; used by one thread at a time.
 */
final class WebpDecoder {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final int VP8X_BYTES = 10;
    private static final byte ALPHA_FLAG = 0x10;

    private final WebpColours colours = new WebpColours();
    private byte[] row = new byte[0];
    private byte[] alphaRow = new byte[0];

    /** Writes packed RGB rows of the canvas. */
    void decode(MemorySegment webp, ImageHeader header, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        WebpChunks found = WebpChunks.find(webp, header.width(), header.height());
        int right = found.left() + found.width();
        int bottom = found.top() + found.height();
        if (right > header.width() || bottom > header.height()) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "WebP picture reaches to %d x %d on a canvas of %d x %d"
                            .formatted(right, bottom, header.width(), header.height()));
        }
        boolean covers = found.width() == header.width() && found.height() == header.height();
        if (!covers) {
            rgb.asSlice(0, 3 * header.pixels())
                    .fill(onWhite && header.channels() == 4 ? (byte) 255 : 0);
        }
        try (FfmpegPicture picture =
                FfmpegPicture.decode(
                        avcodec_find_decoder(AV_CODEC_ID_WEBP),
                        found.width(),
                        found.height(),
                        riff(found),
                        found.chunks())) {
            if (picture.width() != found.width() || picture.height() != found.height()) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "WebP of %d x %d holds a picture of %d x %d"
                                .formatted(
                                        found.width(),
                                        found.height(),
                                        picture.width(),
                                        picture.height()));
            }
            boolean compose = onWhite && header.channels() == 4;
            long at = 3L * ((long) found.top() * header.width() + found.left());
            rows(picture, compose, rgb, at, 3L * header.width());
        }
    }

    /** The head of a file that holds these chunks alone. */
    private static MemorySegment riff(WebpChunks found) {
        int extended = found.hasAlpha() ? 8 + VP8X_BYTES : 0;
        ByteBuffer head = ByteBuffer.allocate(12 + extended).order(ByteOrder.LITTLE_ENDIAN);
        head.put(ascii("RIFF")).putInt((int) (4 + extended + found.chunks().byteSize()));
        head.put(ascii("WEBP"));
        if (found.hasAlpha()) {
            head.put(ascii("VP8X")).putInt(VP8X_BYTES).putInt(ALPHA_FLAG);
            putThree(head, found.width() - 1);
            putThree(head, found.height() - 1);
        }
        return MemorySegment.ofArray(head.array());
    }

    private static void putThree(ByteBuffer head, int value) {
        head.put((byte) value).put((byte) (value >> 8)).put((byte) (value >> 16));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void rows(
            FfmpegPicture picture, boolean compose, MemorySegment rgb, long at, long rowBytes)
            throws BadPayload {
        int width = picture.width();
        if (row.length < 3 * width) {
            row = new byte[3 * width];
            alphaRow = new byte[width];
        }
        int format = picture.format();
        if (format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVA420P) {
            colours.open(picture);
            MemorySegment alpha =
                    compose && format == AV_PIX_FMT_YUVA420P
                            ? picture.plane(3, picture.height())
                            : MemorySegment.NULL;
            for (int y = 0; y < picture.height(); y++) {
                colours.row(y, row);
                if (alpha.byteSize() > 0) {
                    MemorySegment.copy(
                            alpha, BYTE, (long) y * picture.stride(3), alphaRow, 0, width);
                    composeRow(width);
                }
                MemorySegment.copy(row, 0, rgb, BYTE, at + y * rowBytes, 3 * width);
            }
        } else if (format == AV_PIX_FMT_ARGB) {
            lossless(picture, compose, rgb, at, rowBytes);
        } else {
            throw new BadPayload(Reason.UNSUPPORTED, "WebP of FFmpeg's pixel format " + format);
        }
    }

    private void composeRow(int width) {
        for (int x = 0; x < width; x++) {
            int alpha = alphaRow[x] & 0xFF;
            if (alpha != 255) {
                for (int c = 3 * x; c < 3 * x + 3; c++) {
                    row[c] = (byte) OnWhite.level(row[c] & 0xFF, alpha);
                }
            }
        }
    }

    private void lossless(
            FfmpegPicture picture, boolean compose, MemorySegment rgb, long at, long rowBytes)
            throws BadPayload {
        int width = picture.width();
        MemorySegment argb = picture.plane(0, picture.height());
        for (int y = 0; y < picture.height(); y++) {
            long from = (long) y * picture.stride(0);
            for (int x = 0; x < width; x++) {
                int quad = argb.get(ValueLayout.JAVA_INT_UNALIGNED, from + 4L * x);
                row[3 * x] = (byte) (quad >> 8);
                row[3 * x + 1] = (byte) (quad >> 16);
                row[3 * x + 2] = (byte) (quad >> 24);
                alphaRow[x] = (byte) quad;
            }
            if (compose) {
                composeRow(width);
            }
            MemorySegment.copy(row, 0, rgb, BYTE, at + y * rowBytes, 3 * width);
        }
    }
}
