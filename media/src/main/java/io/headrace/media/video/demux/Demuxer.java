package io.headrace.media.video.demux;

import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_AV1;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_H264;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_HEVC;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_MJPEG;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_MPEG2VIDEO;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_MPEG4;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_VP8;
import static org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_VP9;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_DISPLAYMATRIX;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_CORRUPT;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_KEY;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_side_data_get;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_get_name;
import static org.bytedeco.ffmpeg.global.avformat.AV_DISPOSITION_ATTACHED_PIC;
import static org.bytedeco.ffmpeg.global.avformat.AV_DISPOSITION_DEFAULT;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_VIDEO;
import static org.bytedeco.ffmpeg.global.avutil.AV_NOPTS_VALUE;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.container.Matrix;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.FrameIndex;
import io.headrace.media.video.frames.Timebase;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;

/**
 * Reads all packets of a file through FFmpeg's demultiplexer and keeps their times, keys and places; no decoder is opened. Such a
 * container has no table of its frames, so the whole payload is read once.
 */
public final class Demuxer {
    private final PayloadInput input;
    private final AVFormatContext context;
    private final DemuxFormat format;

    private Demuxer(PayloadInput input, AVFormatContext context, DemuxFormat format) {
        this.input = input;
        this.context = context;
        this.format = format;
    }

    /** The main video stream: the first that is marked as default, else the first. */
    public static DemuxedVideo read(ByteView payload, DemuxFormat format)
            throws BadPayload, IOException {
        try (OpenContainer open = OpenContainer.of(payload, format)) {
            return new Demuxer(open.input(), open.context(), format).video();
        }
    }

    private DemuxedVideo video() throws BadPayload, IOException {
        AVStream stream = mainVideo();
        AVCodecParameters parameters = stream.codecpar();
        StreamCodec codec = codec(parameters.codec_id());
        FrameIndex index = packets(stream, codec);
        return new DemuxedVideo(
                stream.index(),
                codec,
                avcodec_get_name(parameters.codec_id()).getString(),
                parameters.width(),
                parameters.height(),
                orientation(parameters),
                configuration(parameters),
                index);
    }

    private AVStream mainVideo() throws BadPayload {
        AVStream first = null;
        for (int i = 0; i < context.nb_streams(); i++) {
            AVStream stream = context.streams(i);
            boolean picture = (stream.disposition() & AV_DISPOSITION_ATTACHED_PIC) != 0;
            if (stream.codecpar().codec_type() == AVMEDIA_TYPE_VIDEO && !picture) {
                if ((stream.disposition() & AV_DISPOSITION_DEFAULT) != 0) {
                    return stream;
                }
                first = first == null ? stream : first;
            }
        }
        if (first == null) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "No video among %d streams of %s".formatted(context.nb_streams(), format),
                    0);
        }
        return first;
    }

    private FrameIndex packets(AVStream stream, StreamCodec codec) throws BadPayload, IOException {
        int numerator = stream.time_base().num();
        int denominator = stream.time_base().den();
        if (numerator <= 0 || denominator <= 0) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "Video with a tick of %d/%d seconds".formatted(numerator, denominator),
                    0);
        }
        PacketTable table = new PacketTable(codec);
        AVPacket packet = av_packet_alloc();
        try (PictureParser parser = new PictureParser(stream.codecpar())) {
            while (av_read_frame(context, packet) >= 0) {
                if (packet.stream_index() == stream.index() && packet.size() > 0) {
                    add(packet, table, parser);
                }
                av_packet_unref(packet);
            }
        } finally {
            av_packet_free(packet);
        }
        input.rethrow();
        if (input.exhausted()) {
            throw new BadPayload(
                    Reason.CORRUPT, "%s whose index leads in circles".formatted(format), 0);
        }
        return table.index(new Timebase(numerator, denominator));
    }

    private void add(AVPacket packet, PacketTable table, PictureParser parser) throws BadPayload {
        int flags = packet.flags();
        if ((flags & AV_PKT_FLAG_CORRUPT) != 0) {
            table.miss();
            return;
        }
        boolean key = (flags & AV_PKT_FLAG_KEY) != 0;
        long shown = packet.pts() == AV_NOPTS_VALUE ? PacketTable.UNKNOWN : packet.pts();
        // AVI stores decode times alone; what FFmpeg makes of them is a guess. So does an mkv made
        // from AVI.
        if (format == DemuxFormat.AVI || (table.isEmpty() && shown == PacketTable.UNKNOWN)) {
            table.putInOrder();
        }
        if (table.isPutInOrder()) {
            parser.parse(packet, key, table.order());
        }
        table.add(
                shown,
                packet.dts() == AV_NOPTS_VALUE ? PacketTable.UNKNOWN : packet.dts(),
                packet.duration(),
                packet.pos(),
                packet.size(),
                key);
    }

    private static StreamCodec codec(int id) {
        return switch (id) {
            case AV_CODEC_ID_H264 -> StreamCodec.H264;
            case AV_CODEC_ID_HEVC -> StreamCodec.H265;
            case AV_CODEC_ID_VP8 -> StreamCodec.VP8;
            case AV_CODEC_ID_VP9 -> StreamCodec.VP9;
            case AV_CODEC_ID_AV1 -> StreamCodec.AV1;
            case AV_CODEC_ID_MPEG2VIDEO -> StreamCodec.MPEG2;
            case AV_CODEC_ID_MPEG4 -> StreamCodec.MPEG4;
            case AV_CODEC_ID_MJPEG -> StreamCodec.MJPEG;
            default -> StreamCodec.OTHER;
        };
    }

    private static Orientation orientation(AVCodecParameters parameters) {
        AVPacketSideData data =
                av_packet_side_data_get(
                        parameters.coded_side_data(),
                        parameters.nb_coded_side_data(),
                        AV_PKT_DATA_DISPLAYMATRIX);
        if (data == null || data.isNull() || data.size() < 36) {
            return Orientation.UPRIGHT;
        }
        IntPointer matrix = new IntPointer(data.data());
        return new Matrix(matrix.get(0), matrix.get(1), matrix.get(3), matrix.get(4)).orientation();
    }

    private static MemorySegment configuration(AVCodecParameters parameters) {
        byte[] copy = new byte[Math.max(0, parameters.extradata_size())];
        BytePointer extra = parameters.extradata();
        if (extra != null && copy.length > 0) {
            extra.get(copy);
        }
        return MemorySegment.ofArray(copy).asReadOnly();
    }
}
