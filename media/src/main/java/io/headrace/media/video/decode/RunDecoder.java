package io.headrace.media.video.decode;

import static org.bytedeco.ffmpeg.avutil.AVFrame.AV_FRAME_FLAG_CORRUPT;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EAGAIN;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;
import static org.bytedeco.ffmpeg.global.avutil.av_strerror;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.decode.Picture;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.container.SampleTable;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.DecodePlan;
import io.headrace.media.video.frames.DecodeRun;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * Takes the packets of runs through a decoder and gives the wanted frames that come out. A frame is known by its packet's number, which
 * travels through the decoder as its time.
 */
final class RunDecoder implements AutoCloseable {
    private static final int MESSAGE_BYTES = 64;

    private final VideoFile video;
    private final SampleTable samples;
    private final PacketSource source;
    private final FrameDecoder context;
    private final RgbConverter converter;
    private final Wanted wanted;
    private final FrameSink sink;
    private final AVPacket packet = av_packet_alloc();
    private final AVFrame frame = av_frame_alloc();

    RunDecoder(
            VideoFile video,
            PacketSource source,
            FrameDecoder context,
            RgbConverter converter,
            Wanted wanted,
            FrameSink sink) {
        this.video = video;
        this.samples = video.index().samples();
        this.source = source;
        this.context = context;
        this.converter = converter;
        this.wanted = wanted;
        this.sink = sink;
    }

    void decode(DecodeRun planned) throws BadPayload {
        DecodeRun run = fromCleanKey(planned);
        context.begin();
        for (int sample = run.fromSample(); sample < run.endSample(); sample++) {
            if (sample > run.fromSample()) {
                source.read(sample, packet);
            }
            packet.pts(sample);
            int sent = context.send(packet, wanted.contains(sample));
            av_packet_unref(packet);
            if (sent < 0) {
                refuse(sample, run, sent);
            }
            receive(run, sample);
        }
        context.drain();
        receive(run, run.endSample() - 1);
        int missing = wanted.missing(run.fromSample(), run.endSample());
        if (missing >= 0) {
            throw broken(missing, "gives no frame");
        }
    }

    /** Reads the first packet of the run, which begins at an earlier key if the planned one does not give whole pictures. */
    private DecodeRun fromCleanKey(DecodeRun planned) throws BadPayload {
        DecodeRun run = planned;
        source.read(run.fromSample(), packet);
        while (video.codec() == StreamCodec.H264 && run.fromSample() > 0 && !isClean()) {
            int earlier = Math.max(0, samples.keyAtOrBefore(run.fromSample() - 1));
            av_packet_unref(packet);
            run = new DecodeRun(earlier, run.endSample());
            source.read(earlier, packet);
        }
        return run;
    }

    @SuppressWarnings("restricted")
    private boolean isClean() {
        MemorySegment bytes =
                MemorySegment.ofAddress(packet.data().address()).reinterpret(packet.size());
        return new H264Key(bytes, video.configuration()).isClean();
    }

    private void receive(DecodeRun run, int sample) throws BadPayload {
        int received = context.receive(frame);
        while (received >= 0) {
            try {
                give(run);
            } finally {
                av_frame_unref(frame);
            }
            received = context.receive(frame);
        }
        if (received != AVERROR_EAGAIN() && received != AVERROR_EOF) {
            refuse(sample, run, received);
        }
    }

    private void give(DecodeRun run) throws BadPayload {
        int sample = (int) frame.pts();
        boolean damaged =
                frame.decode_error_flags() != 0 || (frame.flags() & AV_FRAME_FLAG_CORRUPT) != 0;
        if (damaged && sample >= run.fromSample() && sample < run.endSample()) {
            if (isDecodable(sample, run)) {
                throw broken(sample, "is damaged");
            }
            return;
        }
        Picture picture = null;
        for (int i = wanted.first(sample);
                i < wanted.entries() && wanted.sampleAt(i) == sample;
                i++) {
            if (wanted.give(i)) {
                if (picture == null) {
                    picture = converter.convert(frame, video.orientation());
                }
                sink.frame(wanted.placeAt(i), picture);
            }
        }
    }

    /** Stops at a packet that the decoder refuses, unless it is a leading picture that this run does not hold all of. */
    private void refuse(int sample, DecodeRun run, int error) throws BadPayload {
        if (isDecodable(sample, run)) {
            throw broken(sample, "is refused by FFmpeg: " + text(error));
        }
    }

    private static String text(int error) {
        byte[] text = new byte[MESSAGE_BYTES];
        av_strerror(error, text, MESSAGE_BYTES);
        return new String(text, StandardCharsets.US_ASCII).replace("\0", "");
    }

    private boolean isDecodable(int sample, DecodeRun run) {
        return DecodePlan.startOfSample(samples, sample) >= run.fromSample();
    }

    private BadPayload broken(int sample, String what) {
        return new BadPayload(
                Reason.CORRUPT,
                "Packet %d of %d, %d bytes of %s, %s"
                        .formatted(
                                sample,
                                samples.size(),
                                samples.lengthBytes(sample),
                                video.codecName(),
                                what),
                samples.offsetBytes(sample));
    }

    @Override
    public void close() {
        av_packet_free(packet);
        av_frame_free(frame);
    }
}
