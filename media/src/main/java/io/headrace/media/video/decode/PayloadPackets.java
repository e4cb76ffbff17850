package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.video.container.SampleTable;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Packets where they lie in the payload (mp4, mov, avi). FFmpeg copies a packet that it does not own, with zeros behind it, so nothing is
 * read beyond the payload.
 */
record PayloadPackets(MemorySegment payload, SampleTable samples) implements PacketSource {

    @Override
    public void read(int sample, AVPacket packet) throws BadPayload {
        long offset = samples.offsetBytes(sample);
        int length = samples.lengthBytes(sample);
        if (offset < 0 || length <= 0 || offset > payload.byteSize() - length) {
            throw new BadPayload(
                    Reason.TRUNCATED,
                    "Packet %d of %d bytes at %d in a payload of %d"
                            .formatted(sample, length, offset, payload.byteSize()),
                    offset);
        }
        packet.data(new BytePointer(new Address(payload.address() + offset)));
        packet.size(length);
    }

    @Override
    public void close() {}

    /** Native memory that somebody else owns. */
    private static final class Address extends Pointer {
        Address(long address) {
            this.address = address;
        }
    }
}
