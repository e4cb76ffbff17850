package io.headrace.media.audio;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_SKIP_SAMPLES;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_get_side_data;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avutil.av_rescale;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.demux.DemuxFormat;
import java.io.IOException;
import java.util.Optional;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.SizeTPointer;

/**
 * What a recording is, without decoding it. Plain wav and flac say their length in the header; of all others the packets are counted,
 * since their headers may be wrong: each has a length, and the first and last say how much of it is no sound (encoder delay, padding).
 */
public final class AudioProbe {
    private static final int SKIP_BYTES = 10;

    private AudioProbe() {}

    /**
     * The main sound stream of the payload.
     *
     * @throws BadPayload if it is no recording of a known container, holds no sound, or is broken; the reason tells
     */
    public static AudioFacts read(ByteView payload) throws BadPayload, IOException {
        DemuxFormat format = AudioFormat.of(payload);
        if (format == DemuxFormat.WAV) {
            Optional<AudioFacts> plain = WavHeader.read(payload);
            if (plain.isPresent()) {
                return plain.get();
            }
        }
        try (AudioStream stream = AudioStream.of(payload, format)) {
            long samples =
                    format == DemuxFormat.FLAC && stream.stream().duration() > 0
                            ? inSamples(stream, stream.stream().duration())
                            : counted(stream, format);
            if (samples <= 0) {
                throw new BadPayload(Reason.EMPTY, "A recording without a sample", 0);
            }
            return new AudioFacts(
                    stream.codec(format), stream.rateHz(), stream.channels(), samples);
        }
    }

    private static long inSamples(AudioStream stream, long ticks) {
        return av_rescale(
                ticks,
                (long) stream.rateHz() * stream.stream().time_base().num(),
                stream.stream().time_base().den());
    }

    private static long counted(AudioStream stream, DemuxFormat format) throws IOException {
        Codec codec = stream.codec(format);
        long ticks = 0;
        long packets = 0;
        Skipped skipped = new Skipped();
        AVPacket packet = av_packet_alloc();
        try {
            while (av_read_frame(stream.open().context(), packet) >= 0) {
                if (packet.stream_index() == stream.stream().index()) {
                    // The first packet of Vorbis gives no sound: it is the half that overlaps.
                    boolean sounds = packets > 0 || codec != Codec.VORBIS;
                    ticks += sounds ? Math.max(0, packet.duration()) : 0;
                    packets++;
                    skipped.add(packet);
                }
                av_packet_unref(packet);
            }
        } finally {
            av_packet_free(packet);
        }
        stream.open().input().rethrow();
        int frame = stream.parameters().frame_size();
        // A container may say that the last packet of AAC is short; decoders give all of it.
        long all = codec == Codec.AAC && frame > 0 ? packets * frame : inSamples(stream, ticks);
        long start = Math.max(skipped.start, codec == Codec.OPUS ? padding(stream) : 0);
        // FFmpeg's Ogg demultiplexer has taken the end off the packet's duration already.
        return all - start - (format == DemuxFormat.OGG ? 0 : skipped.end);
    }

    /** Pre-skip of Opus, which Matroska does not mark in the packets. */
    private static long padding(AudioStream stream) {
        return stream.parameters().initial_padding();
    }

    /** Samples at the start and at the end that are no sound, as packets say. */
    private static final class Skipped {
        private long start;
        private long end;

        private void add(AVPacket packet) {
            SizeTPointer size = new SizeTPointer(1);
            BytePointer data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, size);
            if (data != null && !data.isNull() && size.get() >= SKIP_BYTES) {
                start += unsigned(data, 0);
                end += unsigned(data, 4);
            }
        }
    }

    private static long unsigned(BytePointer data, long at) {
        long value = 0;
        for (int i = 3; i >= 0; i--) {
            value = (value << 8) | (data.get(at + i) & 0xFF);
        }
        return value;
    }
}
