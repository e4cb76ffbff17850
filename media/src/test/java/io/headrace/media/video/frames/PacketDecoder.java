package io.headrace.media.video.frames;

import static org.bytedeco.ffmpeg.global.avcodec.av_new_packet;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder_by_name;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_mallocz;

import io.headrace.media.video.VideoFile;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;

/** Decodes chosen packets with a fresh decoder and tells for each what its frame looks like. */
final class PacketDecoder {
    private PacketDecoder() {}

    /** A checksum of the luma of each frame, by the number of its packet. */
    static Map<Integer, Long> decode(VideoFile video, byte[] file, DecodeRun run) {
        String name =
                switch (video.codec()) {
                    case H264 -> "h264";
                    case H265 -> "hevc";
                    case VP8 -> "vp8";
                    case VP9 -> "vp9";
                    case AV1 -> "libaom-av1";
                    case MPEG4 -> "mpeg4";
                    case MJPEG -> "mjpeg";
                    case MPEG2, OTHER -> throw new AssertionError(video.codecName());
                };
        AVCodecContext context = avcodec_alloc_context3(avcodec_find_decoder_by_name(name));
        AVPacket packet = av_packet_alloc();
        AVFrame frame = av_frame_alloc();
        Map<Integer, Long> frames = new TreeMap<>();
        try {
            context.thread_count(1);
            byte[] extra = video.configuration().toArray(ValueLayout.JAVA_BYTE);
            context.extradata(
                    new BytePointer(av_mallocz(extra.length + 64)).put(extra, 0, extra.length));
            context.extradata_size(extra.length);
            context.has_b_frames(video.index().reorderDepth());
            check(avcodec_open2(context, context.codec(), (AVDictionary) null));
            for (int sample = run.fromSample(); sample < run.endSample(); sample++) {
                int length = video.index().samples().lengthBytes(sample);
                long offset = video.index().samples().offsetBytes(sample);
                check(av_new_packet(packet, length));
                packet.data().put(file, (int) offset, length);
                packet.pts(sample);
                check(avcodec_send_packet(context, packet));
                receive(context, frame, frames);
            }
            check(avcodec_send_packet(context, null));
            receive(context, frame, frames);
            return frames;
        } finally {
            av_packet_free(packet);
            av_frame_free(frame);
            avcodec_free_context(context);
        }
    }

    private static void receive(AVCodecContext context, AVFrame frame, Map<Integer, Long> frames) {
        while (avcodec_receive_frame(context, frame) >= 0) {
            CRC32 crc = new CRC32();
            byte[] row = new byte[frame.width()];
            for (int y = 0; y < frame.height(); y++) {
                new BytePointer(frame.data(0))
                        .position((long) y * frame.linesize(0))
                        .get(row, 0, row.length);
                crc.update(row);
            }
            frames.put((int) frame.pts(), crc.getValue());
        }
    }

    private static void check(int result) {
        if (result < 0) {
            throw new AssertionError("FFmpeg: error " + result);
        }
    }
}
