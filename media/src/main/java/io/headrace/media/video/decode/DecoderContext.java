package io.headrace.media.video.decode;

import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_DEFAULT;
import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_NONREF;
import static org.bytedeco.ffmpeg.global.avcodec.AV_INPUT_BUFFER_PADDING_SIZE;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder_by_name;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_flush_buffers;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avutil.AV_LOG_QUIET;
import static org.bytedeco.ffmpeg.global.avutil.av_log_set_level;
import static org.bytedeco.ffmpeg.global.avutil.av_mallocz;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.video.VideoFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** FFmpeg's decoder of one video, on the calling thread. Cleaned before each run of packets, so that a run depends on nothing before it. */
final class DecoderContext implements FrameDecoder {
    /** Decoders add whole blocks and edges to the sides before they check the limit. */
    private static final long PADDING = 256;

    /** Frames that any stream may hold back (max_dec_frame_buffering); FFmpeg aborts the process above. */
    private static final int MOST_REORDERED = 16;

    /** Where hvcC counts the temporal layers of H.265, and how (ISO/IEC 14496-15, 8.3.2.1). */
    private static final int LAYERS_OFFSET = 21;

    static {
        av_log_set_level(AV_LOG_QUIET);
    }

    private final AVCodecContext context;
    private final int reorderDepth;
    private final boolean skips;
    private boolean used;

    private DecoderContext(AVCodecContext context, int reorderDepth, boolean skips) {
        this.context = context;
        this.reorderDepth = reorderDepth;
        this.skips = skips;
    }

    /**
     * @param maxPixels most pixels of a frame, whatever the stream says behind its header
     */
    static DecoderContext open(VideoFile video, long maxPixels) throws BadPayload {
        AVCodec codec = decoder(video);
        AVCodecContext context = avcodec_alloc_context3(codec);
        boolean opened = false;
        try {
            context.thread_count(1);
            long padded = (video.width() + PADDING) * (video.height() + PADDING);
            context.max_pixels(Math.max(maxPixels, padded));
            configure(context, video.configuration());
            int reorderDepth = Math.min(video.index().reorderDepth(), MOST_REORDERED);
            context.has_b_frames(reorderDepth);
            int result = avcodec_open2(context, codec, (@Nullable AVDictionary) null);
            if (result < 0) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "FFmpeg's decoder of %s does not open: error %d"
                                .formatted(video.codecName(), result));
            }
            opened = true;
            return new DecoderContext(context, reorderDepth, skips(video));
        } finally {
            if (!opened) {
                avcodec_free_context(context);
            }
        }
    }

    private static AVCodec decoder(VideoFile video) throws BadPayload {
        String name =
                switch (video.codec()) {
                    case H264 -> "h264";
                    case H265 -> "hevc";
                    case VP8 -> "vp8";
                    case VP9 -> "vp9";
                    case AV1 -> "libaom-av1";
                    case MPEG2 -> "mpeg2video";
                    case MPEG4 -> "mpeg4";
                    case MJPEG -> "mjpeg";
                    case OTHER ->
                            throw new BadPayload(
                                    Reason.UNSUPPORTED,
                                    "No decoder for video of codec " + video.codecName());
                };
        AVCodec codec = avcodec_find_decoder_by_name(name);
        if (codec == null || codec.isNull()) {
            throw new IllegalStateException("FFmpeg was built without its decoder " + name);
        }
        return codec;
    }

    private static void configure(AVCodecContext context, MemorySegment configuration) {
        byte[] bytes = configuration.toArray(ValueLayout.JAVA_BYTE);
        if (bytes.length > 0) {
            int padded = bytes.length + AV_INPUT_BUFFER_PADDING_SIZE;
            context.extradata(
                    new BytePointer(av_mallocz(padded))
                            .capacity(padded)
                            .put(bytes, 0, bytes.length));
            context.extradata_size(bytes.length);
        }
    }

    /**
     * Whether a frame that says it is no reference is none to any other. In H.265 that holds within a temporal layer alone, and in VP9 a
     * frame that is no reference may still adapt the probabilities of the next.
     */
    private static boolean skips(VideoFile video) {
        return switch (video.codec()) {
            case H264, VP8, MPEG2, MPEG4 -> true;
            case H265 -> {
                MemorySegment hvcc = video.configuration();
                yield hvcc.byteSize() > LAYERS_OFFSET
                        && hvcc.get(ValueLayout.JAVA_BYTE, 0) == 1
                        && (hvcc.get(ValueLayout.JAVA_BYTE, LAYERS_OFFSET) >> 3 & 7) == 1;
            }
            case VP9, AV1, MJPEG, OTHER -> false;
        };
    }

    @Override
    public void begin() {
        if (used) {
            avcodec_flush_buffers(context);
            context.has_b_frames(reorderDepth);
        }
        used = true;
    }

    @Override
    public int send(AVPacket packet, boolean wanted) {
        context.skip_frame(skips && !wanted ? AVDISCARD_NONREF : AVDISCARD_DEFAULT);
        return avcodec_send_packet(context, packet);
    }

    @Override
    public void drain() {
        avcodec_send_packet(context, null);
    }

    @Override
    public int receive(AVFrame frame) {
        return avcodec_receive_frame(context, frame);
    }

    @Override
    public void close() {
        avcodec_free_context(context);
    }
}
