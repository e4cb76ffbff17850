package io.headrace.media.audio;

import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_AAC;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_FLAC;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_MP3;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_OPUS;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_VORBIS;
import static org.bytedeco.ffmpeg.global.avformat.av_find_best_stream;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_AUDIO;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.demux.DemuxFormat;
import io.headrace.media.video.demux.OpenContainer;
import java.io.IOException;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.javacpp.PointerPointer;

/** The main sound stream of an opened payload: that of FFmpeg's av_find_best_stream. */
record AudioStream(OpenContainer open, AVStream stream) implements AutoCloseable {
    private static final int MOST_CHANNELS = 64;
    private static final int MOST_RATE_HZ = 768_000;

    static AudioStream of(ByteView payload, DemuxFormat format) throws BadPayload, IOException {
        OpenContainer open = OpenContainer.of(payload, format);
        boolean found = false;
        try {
            int result = avformat_find_stream_info(open.context(), (PointerPointer<?>) null);
            open.input().rethrow();
            if (result < 0) {
                throw new BadPayload(
                        Reason.CORRUPT,
                        "FFmpeg finds no sound in %s: error %d".formatted(format, result),
                        0);
            }
            int best =
                    av_find_best_stream(
                            open.context(), AVMEDIA_TYPE_AUDIO, -1, -1, (AVCodec) null, 0);
            if (best < 0) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "No sound among %d streams of %s"
                                .formatted(open.context().nb_streams(), format),
                        0);
            }
            AudioStream stream = new AudioStream(open, open.context().streams(best));
            stream.check();
            found = true;
            return stream;
        } finally {
            if (!found) {
                open.close();
            }
        }
    }

    private void check() throws BadPayload {
        if (rateHz() <= 0
                || rateHz() > MOST_RATE_HZ
                || channels() <= 0
                || channels() > MOST_CHANNELS) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Sound of %d Hz and %d channels".formatted(rateHz(), channels()),
                    0);
        }
    }

    AVCodecParameters parameters() {
        return stream.codecpar();
    }

    int rateHz() {
        return parameters().sample_rate();
    }

    int channels() {
        return parameters().ch_layout().nb_channels();
    }

    Codec codec(DemuxFormat format) {
        return switch (parameters().codec_id()) {
            case AV_CODEC_ID_FLAC -> Codec.FLAC;
            case AV_CODEC_ID_MP3 -> Codec.MP3;
            case AV_CODEC_ID_OPUS -> Codec.OPUS;
            case AV_CODEC_ID_VORBIS -> Codec.VORBIS;
            case AV_CODEC_ID_AAC -> Codec.AAC;
            default -> format == DemuxFormat.WAV ? Codec.WAV : Codec.OTHER_AUDIO;
        };
    }

    @Override
    public void close() {
        open.close();
    }
}
