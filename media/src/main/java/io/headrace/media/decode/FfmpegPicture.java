package io.headrace.media.decode;

import static org.bytedeco.ffmpeg.global.avcodec.av_new_packet;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avutil.AV_LOG_QUIET;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_log_set_level;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/** One still picture as FFmpeg's decoder gives it: planes of samples, before any conversion of colour. Closed by the one who decoded it. */
final class FfmpegPicture implements AutoCloseable {
    /** Decoders pad sides to whole blocks before they check the limit. */
    private static final long ALIGNMENT = 128;

    private final AVFrame frame;

    static {
        av_log_set_level(AV_LOG_QUIET);
    }

    private FfmpegPicture(AVFrame frame) {
        this.frame = frame;
    }

    /**
     * Decodes the only picture of a stream.
     *
     * @param codec its decoder, run on the calling thread
     * @param parts the bytes of the stream one after another
     * @param width expected width; the decoder refuses a picture that is much larger
     * @param height expected height
     */
    static FfmpegPicture decode(AVCodec codec, int width, int height, MemorySegment... parts)
            throws BadPayload {
        AVCodecContext context = avcodec_alloc_context3(codec);
        AVPacket packet = av_packet_alloc();
        AVFrame frame = av_frame_alloc();
        boolean decoded = false;
        try {
            context.thread_count(1);
            context.max_pixels((width + ALIGNMENT) * (height + ALIGNMENT));
            check(avcodec_open2(context, codec, (@Nullable AVDictionary) null), "is not opened");
            fill(packet, parts);
            check(avcodec_send_packet(context, packet), "refuses the data");
            check(avcodec_send_packet(context, null), "refuses the end");
            check(avcodec_receive_frame(context, frame), "gives no picture");
            decoded = true;
            return new FfmpegPicture(frame);
        } finally {
            av_packet_free(packet);
            avcodec_free_context(context);
            if (!decoded) {
                av_frame_free(frame);
            }
        }
    }

    private static void fill(AVPacket packet, MemorySegment... parts) throws BadPayload {
        long bytes = 0;
        for (MemorySegment part : parts) {
            bytes += part.byteSize();
        }
        if (bytes > Integer.MAX_VALUE / 2) {
            throw new BadPayload(
                    Reason.UNSUPPORTED, "Picture of %d bytes for FFmpeg".formatted(bytes));
        }
        check(av_new_packet(packet, (int) bytes), "has no memory");
        MemorySegment data = at(packet.data(), bytes);
        long to = 0;
        for (MemorySegment part : parts) {
            data.asSlice(to, part.byteSize()).copyFrom(part);
            to += part.byteSize();
        }
    }

    private static void check(int result, String what) throws BadPayload {
        if (result < 0) {
            throw new BadPayload(
                    Reason.CORRUPT, "FFmpeg's decoder %s: error %d".formatted(what, result));
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(Pointer pointer, long bytes) {
        return MemorySegment.ofAddress(pointer.address()).reinterpret(bytes);
    }

    int width() {
        return frame.width();
    }

    int height() {
        return frame.height();
    }

    /** FFmpeg's pixel format. */
    int format() {
        return frame.format();
    }

    /** Whether levels go from 0 to 255 and not from 16 to 235. */
    int colourRange() {
        return frame.color_range();
    }

    /** Matrix coefficients of ITU-T H.273. */
    int colourMatrix() {
        return frame.colorspace();
    }

    /** Bytes from one row of a plane to the next. */
    int stride(int plane) {
        return frame.linesize(plane);
    }

    /** The rows of a plane; holds until the picture is closed. */
    MemorySegment plane(int plane, int rows) throws BadPayload {
        if (stride(plane) <= 0) {
            throw new BadPayload(Reason.UNSUPPORTED, "Picture stored upside down by FFmpeg");
        }
        return at(frame.data(plane), (long) stride(plane) * rows);
    }

    @Override
    public void close() {
        av_frame_free(frame);
    }
}
