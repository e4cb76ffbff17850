package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import org.bytedeco.ffmpeg.avcodec.AVPacket;

/** Gives packets by their number in decode order, which rises from call to call. */
interface PacketSource extends AutoCloseable {

    /** Fills an empty packet, whose data hold until the next call. */
    void read(int sample, AVPacket packet) throws BadPayload;

    @Override
    void close();
}
