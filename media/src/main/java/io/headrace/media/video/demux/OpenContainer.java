package io.headrace.media.video.demux;

import static org.bytedeco.ffmpeg.avformat.AVFormatContext.AVFMT_FLAG_CUSTOM_IO;
import static org.bytedeco.ffmpeg.global.avformat.av_find_input_format;
import static org.bytedeco.ffmpeg.global.avformat.avformat_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;
import static org.bytedeco.ffmpeg.global.avutil.AV_LOG_QUIET;
import static org.bytedeco.ffmpeg.global.avutil.av_log_set_level;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.jspecify.annotations.Nullable;

/** A payload that FFmpeg's demultiplexer of one format has opened, and the input it reads through. */
public record OpenContainer(PayloadInput input, AVFormatContext context) implements AutoCloseable {
    static {
        av_log_set_level(AV_LOG_QUIET);
    }

    public static OpenContainer of(ByteView payload, DemuxFormat format)
            throws BadPayload, IOException {
        PayloadInput input = new PayloadInput(payload);
        boolean opened = false;
        try {
            AVFormatContext context = avformat_alloc_context();
            context.pb(input.context());
            context.flags(context.flags() | AVFMT_FLAG_CUSTOM_IO);
            AVInputFormat opener = av_find_input_format(format.ffmpegName());
            // FFmpeg frees the context where opening fails.
            int result =
                    avformat_open_input(
                            context, (String) null, opener, (@Nullable AVDictionary) null);
            input.rethrow();
            if (result < 0) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "FFmpeg finds no %s header: error %d".formatted(format, result),
                        0);
            }
            opened = true;
            return new OpenContainer(input, context);
        } finally {
            if (!opened) {
                input.close();
            }
        }
    }

    @Override
    public void close() {
        avformat_close_input(context);
        input.close();
    }
}
