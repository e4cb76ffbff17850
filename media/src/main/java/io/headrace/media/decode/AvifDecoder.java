package io.headrace.media.decode;

import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder_by_name;
import static org.bytedeco.ffmpeg.global.avutil.AVCOL_RANGE_JPEG;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_FLAG_RGB;
import static org.bytedeco.ffmpeg.global.avutil.av_pix_fmt_desc_get;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.decode.raster.OnWhite;
import io.headrace.media.probe.AvifItems;
import io.headrace.media.probe.AvifItems.Extent;
import io.headrace.media.probe.ByteView;
import io.headrace.media.probe.ImageHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVPixFmtDescriptor;

/**
 * Decodes the picture of an AVIF: the samples by libaom inside FFmpeg, since AV1 is bit-exact, their colours as libavif makes them
 * ({@link AvifColours}).
 */
final class AvifDecoder {
    private static final String DECODER = "libaom-av1";

    private AvifDecoder() {}

    /** Writes packed RGB rows as they are stored. */
    static void decode(MemorySegment avif, ImageHeader header, boolean onWhite, MemorySegment rgb)
            throws BadPayload {
        AvifItems items = items(avif);
        try (FfmpegPicture colour = picture(avif, items.colour(), header)) {
            AVPixFmtDescriptor format = av_pix_fmt_desc_get(colour.format());
            if ((format.flags() & AV_PIX_FMT_FLAG_RGB) != 0) {
                throw new BadPayload(Reason.UNSUPPORTED, "AVIF that stores green, blue, red");
            }
            boolean declared = items.matrix() >= 0;
            AvifColours colours =
                    new AvifColours(
                            colour,
                            new AvifColours.Layout(
                                    format.log2_chroma_w(),
                                    format.log2_chroma_h(),
                                    format.comp(0).depth(),
                                    format.nb_components() == 1),
                            declared ? items.matrix() : colour.colourMatrix(),
                            declared
                                    ? items.fullRange()
                                    : colour.colourRange() == AVCOL_RANGE_JPEG);
            byte[] row = new byte[3 * header.width()];
            for (int y = 0; y < header.height(); y++) {
                colours.row(y, row);
                MemorySegment.copy(
                        row, 0, rgb, ValueLayout.JAVA_BYTE, (long) y * row.length, row.length);
            }
        }
        if (onWhite && !items.alpha().isEmpty()) {
            compose(avif, items, header, rgb);
        }
    }

    private static void compose(
            MemorySegment avif, AvifItems items, ImageHeader header, MemorySegment rgb)
            throws BadPayload {
        try (FfmpegPicture alpha = picture(avif, items.alpha(), header)) {
            int depth = av_pix_fmt_desc_get(alpha.format()).comp(0).depth();
            if (depth != 8) {
                throw new BadPayload(
                        Reason.UNSUPPORTED, "AVIF with alpha of %d bits".formatted(depth));
            }
            MemorySegment levels = alpha.plane(0, header.height());
            for (int y = 0; y < header.height(); y++) {
                for (int x = 0; x < header.width(); x++) {
                    long from = (long) y * alpha.stride(0) + x;
                    int level = levels.get(ValueLayout.JAVA_BYTE, from) & 0xFF;
                    long to = 3 * ((long) y * header.width() + x);
                    for (int c = 0; c < 3 && level != 255; c++) {
                        int shown = rgb.get(ValueLayout.JAVA_BYTE, to + c) & 0xFF;
                        rgb.set(ValueLayout.JAVA_BYTE, to + c, (byte) OnWhite.level(shown, level));
                    }
                }
            }
        }
    }

    private static AvifItems items(MemorySegment avif) throws BadPayload {
        try {
            return AvifItems.find(ByteView.of(avif));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory cannot be read", e);
        }
    }

    private static FfmpegPicture picture(
            MemorySegment avif, List<Extent> extents, ImageHeader header) throws BadPayload {
        MemorySegment[] parts =
                extents.stream()
                        .map(extent -> avif.asSlice(extent.offsetBytes(), extent.lengthBytes()))
                        .toArray(MemorySegment[]::new);
        FfmpegPicture picture =
                FfmpegPicture.decode(
                        avcodec_find_decoder_by_name(DECODER),
                        header.width(),
                        header.height(),
                        parts);
        if (picture.width() != header.width() || picture.height() != header.height()) {
            int width = picture.width();
            int height = picture.height();
            picture.close();
            throw new BadPayload(
                    Reason.CORRUPT,
                    "AVIF of %d x %d holds a picture of %d x %d"
                            .formatted(header.width(), header.height(), width, height));
        }
        return picture;
    }
}
