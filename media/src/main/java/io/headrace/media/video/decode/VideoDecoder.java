package io.headrace.media.video.decode;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.resize.Scratch;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.DecodePlan;
import io.headrace.media.video.frames.DecodeRun;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes chosen frames of a video, and no packet that they do not need. A packet that is needed and broken is a {@link BadPayload};
 * frames that do not depend on it stay reachable.
 *
 * <p>Owns memory that is reused from video to video. One decode thread has one; it may be handed to another thread between videos, never
 * used by two at once.
 */
public final class VideoDecoder implements AutoCloseable {
    private final RgbConverter converter = new RgbConverter();
    private final Scratch copied = new Scratch();

    /**
     * Decodes all wanted frames.
     *
     * @param encoded the whole payload; decoded in place if it is native memory, such as a mapped file
     * @param wanted places in display order, rising; one that is repeated is decoded once and given as often
     * @param maxPixels a video whose frames have more is refused before memory is taken
     * @throws BadPayload if a packet that is needed is broken or cut off; frames may have been given before
     */
    public void decode(
            VideoFile video, MemorySegment encoded, int[] wanted, long maxPixels, FrameSink sink)
            throws BadPayload {
        decode(video, encoded, wanted, new VideoPart(0, wanted.length, 0), maxPixels, sink);
    }

    /** Decodes the wanted frames of one part of {@link VideoParts#split}; the sink is told their places among all. */
    public void decode(
            VideoFile video,
            MemorySegment encoded,
            int[] wanted,
            VideoPart part,
            long maxPixels,
            FrameSink sink)
            throws BadPayload {
        long pixels = (long) video.width() * video.height();
        if (pixels > maxPixels) {
            throw new BadPayload(
                    Reason.TOO_MANY_PIXELS,
                    "Video of %d x %d = %d pixels a frame; the limit is %d"
                            .formatted(video.width(), video.height(), pixels, maxPixels),
                    0);
        }
        int[] frames = Arrays.copyOfRange(wanted, part.from(), part.end());
        if (frames.length == 0) {
            return;
        }
        Wanted samples = Wanted.of(video.index(), frames, part.from());
        try (PacketSource source = packets(video, encoded);
                FrameDecoder context = decoder(video, maxPixels);
                RunDecoder decoder =
                        new RunDecoder(video, source, context, converter, samples, sink)) {
            for (DecodeRun run : DecodePlan.of(video.index(), frames)) {
                decoder.decode(run);
            }
        } finally {
            Reference.reachabilityFence(encoded);
            Reference.reachabilityFence(this);
        }
    }

    private static FrameDecoder decoder(VideoFile video, long maxPixels) throws BadPayload {
        Optional<Dav1d> dav1d =
                video.codec() == StreamCodec.AV1 ? Dav1d.library() : Optional.empty();
        return dav1d.isPresent()
                ? new Dav1dDecoder(dav1d.get(), maxPixels)
                : DecoderContext.open(video, maxPixels);
    }

    /** An AVI's packets lie as they are, but only a chunk that says so is believed. */
    private PacketSource packets(VideoFile video, MemorySegment encoded) throws BadPayload {
        return switch (video.container()) {
            case MP4 -> new PayloadPackets(inNative(encoded), video.index().samples());
            case MATROSKA -> DemuxedPackets.open(video, encoded);
            case AVI ->
                    AviChunks.hold(encoded, video.index().samples())
                            ? new PayloadPackets(inNative(encoded), video.index().samples())
                            : DemuxedPackets.open(video, encoded);
        };
    }

    private MemorySegment inNative(MemorySegment encoded) {
        if (encoded.isNative()) {
            return encoded;
        }
        long bytes = encoded.byteSize();
        long copy = copied.address(bytes);
        MemorySegment.copy(encoded, 0, Scratch.MEMORY, copy, bytes);
        return Scratch.MEMORY.asSlice(copy, bytes);
    }

    @Override
    public void close() {
        converter.close();
    }
}
