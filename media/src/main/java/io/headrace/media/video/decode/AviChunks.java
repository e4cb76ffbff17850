package io.headrace.media.video.decode;

import io.headrace.media.video.container.SampleTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Whether the packets of an AVI are whole chunks: FFmpeg may also make several packets of one, or one of several. */
final class AviChunks {
    private static final ValueLayout.OfInt LENGTH =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int HEADER_BYTES = 8;

    private AviChunks() {}

    /** Looks at the length in front of every packet. */
    static boolean hold(MemorySegment payload, SampleTable samples) {
        for (int sample = 0; sample < samples.size(); sample++) {
            long offset = samples.offsetBytes(sample);
            int length = samples.lengthBytes(sample);
            if (offset < HEADER_BYTES
                    || offset > payload.byteSize() - length
                    || payload.get(LENGTH, offset - Integer.BYTES) != length) {
                return false;
            }
        }
        return true;
    }
}
