package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoFile.Container;
import io.headrace.media.video.demux.DemuxFormat;
import io.headrace.media.video.demux.PacketReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVPacket;

/** Packets as FFmpeg's demultiplexer gives them (mkv, webm, avi). */
record DemuxedPackets(PacketReader reader) implements PacketSource {

    static DemuxedPackets open(VideoFile video, MemorySegment payload) throws BadPayload {
        DemuxFormat format =
                video.container() == Container.AVI ? DemuxFormat.AVI : DemuxFormat.MATROSKA;
        try {
            return new DemuxedPackets(
                    new PacketReader(
                            ByteView.of(payload), format, video.stream(), video.index().samples()));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public void read(int sample, AVPacket packet) throws BadPayload {
        try {
            reader.read(sample, packet);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static UncheckedIOException unreadable(IOException e) {
        return new UncheckedIOException("Memory cannot be read", e);
    }

    @Override
    public void close() {
        reader.close();
    }
}
