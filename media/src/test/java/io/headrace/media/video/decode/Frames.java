package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/** Decodes clips to checksums. */
public final class Frames {
    public static final long MOST_PIXELS = 1 << 24;

    private Frames() {}

    public static VideoFile probe(byte[] file) throws BadPayload, IOException {
        return VideoProbe.read(ByteView.of(file));
    }

    /** CRC-32 of the RGB rows. */
    public static long crc(Picture picture) {
        CRC32 crc = new CRC32();
        long bytes = 3L * picture.width() * picture.height();
        crc.update(picture.rgb().asSlice(0, bytes).asByteBuffer());
        return crc.getValue();
    }

    public static int[] all(VideoFile video) {
        int[] frames = new int[video.index().size()];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = i;
        }
        return frames;
    }

    /** The checksum of each wanted frame. */
    public static long[] decode(VideoFile video, byte[] file, int... wanted) throws BadPayload {
        try (VideoDecoder decoder = new VideoDecoder()) {
            return decode(decoder, video, file, wanted);
        }
    }

    public static long[] decode(VideoDecoder decoder, VideoFile video, byte[] file, int... wanted)
            throws BadPayload {
        long[] sums = new long[wanted.length];
        decoder.decode(
                video,
                MemorySegment.ofArray(file),
                wanted,
                MOST_PIXELS,
                (k, picture) -> sums[k] = crc(picture));
        return sums;
    }
}
