package io.headrace.media.video.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Whether decoding from an H.264 key gives the frames that decoding everything gives. Containers also mark keys of streams that
 * refresh their picture bit by bit: such a key says in a recovery point message how many frames later the picture is whole (ITU-T H.264,
 * D.2.8), and those frames are only alike.
 */
final class H264Key {
    private static final int IDR = 5;
    private static final int MESSAGES = 6;
    private static final int RECOVERY_POINT = 6;

    /** Units in front of the picture that are looked at. */
    private static final int MOST_UNITS = 64;

    private final MemorySegment packet;
    private final int lengthBytes;

    /**
     * @param configuration of the stream: avcC, or empty where units begin with start codes
     */
    H264Key(MemorySegment packet, MemorySegment configuration) {
        this.packet = packet;
        boolean avcc =
                configuration.byteSize() > 6 && configuration.get(ValueLayout.JAVA_BYTE, 0) == 1;
        lengthBytes = avcc ? (configuration.get(ValueLayout.JAVA_BYTE, 4) & 3) + 1 : 0;
    }

    /** True unless a recovery point says that frames are missing, and no picture starts afresh. */
    boolean isClean() {
        boolean recovers = false;
        long at = lengthBytes > 0 ? 0 : startCode(0);
        for (int unit = 0; unit < MOST_UNITS && at < packet.byteSize(); unit++) {
            long start = at + lengthBytes;
            long end = lengthBytes > 0 ? start + length(at) : startCode(start);
            end = Math.min(end, packet.byteSize());
            if (start >= end) {
                break;
            }
            int type = level(start) & 0x1f;
            if (type == IDR) {
                return true;
            }
            if (type == MESSAGES) {
                recovers |= recoversLater(start + 1, end);
            }
            at = end;
        }
        return !recovers;
    }

    private int level(long at) {
        return packet.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    private long length(long at) {
        long length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            length = length << 8 | (at + i < packet.byteSize() ? level(at + i) : 0);
        }
        return length;
    }

    /** Where the unit behind the next start code begins; the end if there is none. */
    private long startCode(long from) {
        for (long at = from; at + 3 < packet.byteSize(); at++) {
            if (level(at) == 0 && level(at + 1) == 0 && level(at + 2) == 1) {
                return at + 3;
            }
        }
        return packet.byteSize();
    }

    /** Whether one of the messages is a recovery point some frames later. */
    private boolean recoversLater(long start, long end) {
        long at = start;
        while (at + 2 < end) {
            int type = 0;
            while (at < end && level(at) == 0xff) {
                type += level(at++);
            }
            type += at < end ? level(at++) : 0;
            int size = 0;
            while (at < end && level(at) == 0xff) {
                size += level(at++);
            }
            size += at < end ? level(at++) : 0;
            if (type == RECOVERY_POINT && at < end) {
                // recovery_frame_cnt is an Exp-Golomb number: 0 is the single bit 1.
                return (level(at) & 0x80) == 0;
            }
            at += size;
        }
        return false;
    }
}
