package io.headrace.media.video.demux;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_CORRUPT;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_FLAG_BACKWARD;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.av_seek_frame;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.container.SampleTable;
import java.io.IOException;
import org.bytedeco.ffmpeg.avcodec.AVPacket;

/**
 * Reads packets of one stream by their number in decode order through FFmpeg's demultiplexer, which undoes the compression of blocks. A
 * gap is jumped over by the container's own index if that leads to a packet of the table that is not behind the wanted one; else, and from
 * then on, the payload is read from its start.
 */
public final class PacketReader implements AutoCloseable {
    /** A gap of fewer bytes is read through: less than an index and a new buffer cost. */
    private static final long LEAST_JUMP_BYTES = 1 << 18;

    private final ByteView payload;
    private final DemuxFormat format;
    private final int stream;
    private final SampleTable samples;
    private OpenContainer open;
    private int next;
    private boolean jumps = true;

    /**
     * @param stream number of the stream among all
     * @param samples its packets, as {@link Demuxer} found them in this payload
     */
    public PacketReader(ByteView payload, DemuxFormat format, int stream, SampleTable samples)
            throws BadPayload, IOException {
        this.payload = payload;
        this.format = format;
        this.stream = stream;
        this.samples = samples;
        open = OpenContainer.of(payload, format);
    }

    /** Fills an empty packet. The sample is usually behind the one before; going back reads from the start. */
    public void read(int sample, AVPacket packet) throws BadPayload, IOException {
        if (sample > next && jumps && gapBytes(sample) >= LEAST_JUMP_BYTES) {
            jump(sample, packet);
            if (next == sample + 1) {
                return;
            }
        }
        if (sample < next) {
            reopen();
        }
        while (next <= sample) {
            av_packet_unref(packet);
            if (!readNext(packet)) {
                throw new BadPayload(
                        Reason.TRUNCATED,
                        "%s ends before packet %d".formatted(format, sample),
                        samples.offsetBytes(sample));
            }
            next++;
        }
    }

    private long gapBytes(int sample) {
        return samples.offsetBytes(sample) - samples.offsetBytes(next);
    }

    /** Goes to the packet or one before it; what is read there is in {@code packet} and {@code next} counts it. */
    private void jump(int sample, AVPacket packet) throws BadPayload, IOException {
        long ticks = samples.presentationTicks(sample);
        if (av_seek_frame(open.context(), stream, ticks, AVSEEK_FLAG_BACKWARD) >= 0
                && readNext(packet)) {
            int found = at(packet.pos());
            if (found >= 0 && found <= sample) {
                next = found + 1;
                return;
            }
        }
        jumps = false;
        av_packet_unref(packet);
        reopen();
    }

    /** The first packet of the table at a place of the payload; -1 if there is none. */
    private int at(long offset) {
        int low = 0;
        int high = samples.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (samples.offsetBytes(middle) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < samples.size() && samples.offsetBytes(low) == offset ? low : -1;
    }

    private void reopen() throws BadPayload, IOException {
        open.close();
        open = OpenContainer.of(payload, format);
        next = 0;
    }

    /** The next packet that {@link Demuxer} counts; false at the end. */
    private boolean readNext(AVPacket packet) throws IOException {
        while (av_read_frame(open.context(), packet) >= 0) {
            boolean whole = (packet.flags() & AV_PKT_FLAG_CORRUPT) == 0;
            if (packet.stream_index() == stream && packet.size() > 0 && whole) {
                return true;
            }
            av_packet_unref(packet);
        }
        open.input().rethrow();
        return false;
    }

    @Override
    public void close() {
        open.close();
    }
}
