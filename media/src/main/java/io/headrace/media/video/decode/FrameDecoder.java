package io.headrace.media.video.decode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * Decodes the packets of one video on the calling thread. Results are those of FFmpeg: 0 or more is good, EAGAIN and EOF say that there is
 * nothing for now and nothing more.
 */
interface FrameDecoder extends AutoCloseable {

    /** Starts a run with a clean decoder, so that it depends on nothing before it. */
    void begin();

    /**
     * Gives the decoder a packet.
     *
     * @param wanted whether its frame is; if not, and no other frame refers to it, it need not be decoded
     */
    int send(AVPacket packet, boolean wanted);

    /** Tells that the run has ended: what the decoder holds back comes out. */
    void drain();

    /** The next frame in display order, whose time is that of its packet; it holds until the next call. */
    int receive(AVFrame frame);

    @Override
    void close();
}
