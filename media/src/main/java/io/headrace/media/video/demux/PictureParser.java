package io.headrace.media.video.demux;

import static org.bytedeco.ffmpeg.avcodec.AVCodecParserContext.PARSER_FLAG_COMPLETE_FRAMES;
import static org.bytedeco.ffmpeg.global.avcodec.av_parser_close;
import static org.bytedeco.ffmpeg.global.avcodec.av_parser_init;
import static org.bytedeco.ffmpeg.global.avcodec.av_parser_parse2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_to_context;
import static org.bytedeco.ffmpeg.global.avutil.AV_NOPTS_VALUE;
import static org.bytedeco.ffmpeg.global.avutil.AV_PICTURE_TYPE_B;

import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVCodecParserContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/** Reads the header of each picture with FFmpeg's parser of its codec: its place in display order, without decoding it. */
final class PictureParser implements AutoCloseable {
    private final @Nullable AVCodecParserContext parser;
    private final AVCodecContext context;
    private final PointerPointer<BytePointer> output = new PointerPointer<>(1);
    private final IntPointer outputBytes = new IntPointer(1);

    PictureParser(AVCodecParameters parameters) {
        parser = av_parser_init(parameters.codec_id());
        context = avcodec_alloc_context3(null);
        avcodec_parameters_to_context(context, parameters);
        if (parser != null) {
            parser.flags(parser.flags() | PARSER_FLAG_COMPLETE_FRAMES);
        }
    }

    /** Adds a packet, in decode order; without a parser for the codec each picture is shown when it is decoded. */
    void parse(AVPacket packet, boolean key, PictureOrder order) {
        AVCodecParserContext now = parser;
        if (now == null) {
            order.add(0, key, true);
            return;
        }
        outputBytes.put(0, 0);
        av_parser_parse2(
                now,
                context,
                output,
                outputBytes,
                packet.data(),
                packet.size(),
                AV_NOPTS_VALUE,
                AV_NOPTS_VALUE,
                packet.pos());
        order.add(now.output_picture_number(), key, now.pict_type() == AV_PICTURE_TYPE_B);
    }

    @Override
    public void close() {
        if (parser != null) {
            av_parser_close(parser);
        }
        avcodec_free_context(context);
        output.deallocate();
        outputBytes.deallocate();
    }
}
