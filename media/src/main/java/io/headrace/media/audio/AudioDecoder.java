package io.headrace.media.audio;

import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_to_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EAGAIN;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Downmix;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.jspecify.annotations.Nullable;

/**
 * Decodes recordings to mono float32 samples of a wanted rate, as torchcodec does: FFmpeg's decoder, then its resampler with default
 * settings. A packet that the decoder refuses is a {@link BadPayload}. Used by one thread at a time; what it gives holds until its next
 * call.
 */
public final class AudioDecoder {
    private final Resampler resampler = new Resampler();

    /**
     * Decodes a recording.
     *
     * @param rateHz wanted rate
     * @param most samples of the wanted rate after which decoding stops
     * @return how many samples there are
     */
    public int decode(MemorySegment encoded, int rateHz, Downmix downmix, int most)
            throws BadPayload, IOException {
        ByteView payload = ByteView.of(encoded);
        try (AudioStream stream = AudioStream.of(payload, AudioFormat.of(payload))) {
            resampler.begin(rateHz, downmix, most);
            AVCodecContext context = open(stream);
            try {
                run(stream, context);
            } finally {
                avcodec_free_context(context);
            }
            return resampler.count();
        } finally {
            resampler.end();
        }
    }

    /** The samples of the last recording; as many of them count as {@link #decode} gave. */
    public float[] samples() {
        return resampler.samples();
    }

    private static AVCodecContext open(AudioStream stream) throws BadPayload {
        AVCodec codec = avcodec_find_decoder(stream.parameters().codec_id());
        if (codec == null || codec.isNull()) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "No decoder for sound of codec %d".formatted(stream.parameters().codec_id()));
        }
        AVCodecContext context = avcodec_alloc_context3(codec);
        boolean opened = false;
        try {
            context.thread_count(1);
            int result = avcodec_parameters_to_context(context, stream.parameters());
            context.pkt_timebase(stream.stream().time_base());
            if (result >= 0) {
                result = avcodec_open2(context, codec, (@Nullable AVDictionary) null);
            }
            if (result < 0) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "FFmpeg's decoder of %s does not open: error %d"
                                .formatted(codec.name().getString(), result));
            }
            opened = true;
            return context;
        } finally {
            if (!opened) {
                avcodec_free_context(context);
            }
        }
    }

    private void run(AudioStream stream, AVCodecContext context) throws BadPayload, IOException {
        AVPacket packet = av_packet_alloc();
        AVFrame frame = av_frame_alloc();
        try {
            while (!resampler.isFull() && av_read_frame(stream.open().context(), packet) >= 0) {
                long offset = packet.pos();
                if (packet.stream_index() == stream.stream().index()) {
                    refuse(avcodec_send_packet(context, packet), offset);
                    receive(context, frame, offset);
                }
                av_packet_unref(packet);
            }
            stream.open().input().rethrow();
            avcodec_send_packet(context, null);
            receive(context, frame, -1);
            resampler.flush();
        } finally {
            av_packet_free(packet);
            av_frame_free(frame);
        }
    }

    private void receive(AVCodecContext context, AVFrame frame, long offset) throws BadPayload {
        int received = avcodec_receive_frame(context, frame);
        while (received >= 0) {
            try {
                resampler.add(frame);
            } finally {
                av_frame_unref(frame);
            }
            received = avcodec_receive_frame(context, frame);
        }
        if (received != AVERROR_EAGAIN() && received != AVERROR_EOF) {
            refuse(received, offset);
        }
    }

    private static void refuse(int result, long offset) throws BadPayload {
        if (result < 0 && result != AVERROR_EOF) {
            throw new BadPayload(
                    Reason.CORRUPT, "FFmpeg refuses a packet of sound: error " + result, offset);
        }
    }
}
