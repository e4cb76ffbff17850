package io.headrace.runtime.prepare;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.index.IndexWriter;
import io.headrace.engine.index.SkipSummary;
import io.headrace.media.audio.AudioFacts;
import io.headrace.media.audio.AudioProbe;
import io.headrace.media.probe.ByteView;
import io.headrace.media.probe.ImageHeader;
import io.headrace.media.probe.ImageProbe;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import io.headrace.media.video.container.StreamCodec;
import io.headrace.media.video.frames.FrameIndex;
import io.headrace.sources.formats.Payload;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.TextDraft;
import java.io.IOException;
import java.util.List;

/** Describes the parts of one shard, writes its samples to an index and counts what is left out. Used by one thread at a time. */
final class ShardRecorder implements SampleSink {

    private static final int MAX_TEXT_BYTES = 64 << 20;

    /** Progress is told in steps of this size, since it is told by all threads to one listener. */
    private static final long PROGRESS_BYTES = 1 << 20;

    private final String shardName;
    private final IndexWriter writer;
    private final TokenCounter tokens;
    private final long maxPixels;
    private final PrepareProgress progress;
    private final SkipSummary.Counting skips = new SkipSummary.Counting();
    private final ImageProbe probe = new ImageProbe();
    private long toldBytes;
    private long toldSamples;

    ShardRecorder(
            String shardName,
            IndexWriter writer,
            TokenCounter tokens,
            long maxPixels,
            PrepareProgress progress) {
        this.shardName = shardName;
        this.writer = writer;
        this.tokens = tokens;
        this.maxPixels = maxPixels;
        this.progress = progress;
    }

    /** The bytes of a payload, as the probe asks for them. */
    private record View(Payload payload) implements ByteView {
        @Override
        public long lengthBytes() {
            return payload.lengthBytes();
        }

        @Override
        public int read(long offsetBytes, byte[] target, int length) throws IOException {
            return payload.read(offsetBytes, target, length);
        }
    }

    @Override
    public Part media(MediaKind kind, String field, Location location, Payload payload)
            throws BadPayload, IOException {
        return switch (kind) {
            case IMAGE -> image(field, location, payload);
            case VIDEO -> video(field, location, payload);
            case AUDIO -> audio(field, location, payload);
        };
    }

    private void refuseAboveLimit(int width, int height) throws BadPayload {
        long pixels = (long) width * height;
        if (pixels > maxPixels) {
            throw new BadPayload(
                    Reason.TOO_MANY_PIXELS,
                    "%d x %d are %d pixels, the limit is %d"
                            .formatted(width, height, pixels, maxPixels));
        }
    }

    private Part video(String field, Location location, Payload payload)
            throws BadPayload, IOException {
        VideoFile video = VideoProbe.read(new View(payload));
        refuseAboveLimit(video.width(), video.height());
        FrameIndex index = video.index();
        if (index.size() == 0) {
            throw new BadPayload(Reason.TRUNCATED, "a video without a frame");
        }
        return new Part.Video(
                field,
                location,
                codec(video.codec()),
                video.width(),
                video.height(),
                video.orientation(),
                index.size(),
                index.endSeconds() - index.beginSeconds(),
                index.keyFrames().length);
    }

    private static Part audio(String field, Location location, Payload payload)
            throws BadPayload, IOException {
        AudioFacts facts = AudioProbe.read(new View(payload));
        return new Part.Audio(
                field, location, facts.codec(), facts.rateHz(), facts.channels(), facts.samples());
    }

    private static Codec codec(StreamCodec codec) {
        return switch (codec) {
            case H264 -> Codec.H264;
            case H265 -> Codec.H265;
            case VP8 -> Codec.VP8;
            case VP9 -> Codec.VP9;
            case AV1 -> Codec.AV1;
            case MPEG2 -> Codec.MPEG2;
            case MPEG4 -> Codec.MPEG4;
            case MJPEG -> Codec.MJPEG;
            case OTHER -> Codec.OTHER_VIDEO;
        };
    }

    private Part image(String field, Location location, Payload payload)
            throws BadPayload, IOException {
        ImageHeader header = probe.header(new View(payload));
        refuseAboveLimit(header.width(), header.height());
        return new Part.Image(
                field,
                location,
                header.codec(),
                header.width(),
                header.height(),
                header.orientation());
    }

    @Override
    public TextDraft text(String field, Location location, Codec codec, Payload payload)
            throws BadPayload, IOException {
        if (payload.lengthBytes() > MAX_TEXT_BYTES) {
            throw new BadPayload(
                    Reason.TOO_LONG,
                    "a text of %d bytes, the limit is %d"
                            .formatted(payload.lengthBytes(), MAX_TEXT_BYTES));
        }
        byte[] bytes = new byte[(int) payload.lengthBytes()];
        int read = payload.read(0, bytes, bytes.length);
        if (read < bytes.length) {
            throw new IOException("The shard was cut while it was read");
        }
        Prompt prompt = tokens.read(field, bytes, codec);
        return media ->
                new Part.Text(
                        field,
                        location,
                        codec,
                        tokens.count(prompt, media, bytes.length),
                        tokens.exact());
    }

    @Override
    public void sample(String key, List<Part> parts) throws IOException {
        writer.add(key, parts);
    }

    @Override
    public void skip(Skip skip) {
        String at = skip.offsetBytes() < 0 ? "" : " at " + skip.offsetBytes();
        skips.add(
                skip.reason(), "%s: %s%s: %s".formatted(shardName, skip.name(), at, skip.detail()));
    }

    @Override
    public void progress(long shardBytes) {
        if (shardBytes - toldBytes >= PROGRESS_BYTES) {
            tell(shardBytes);
        }
    }

    /** Tells the rest of the progress. */
    void finishProgress(long shardBytes) {
        tell(shardBytes);
    }

    private void tell(long shardBytes) {
        progress.advance(shardBytes - toldBytes, writer.samples() - toldSamples);
        toldBytes = shardBytes;
        toldSamples = writer.samples();
    }

    SkipSummary skips() {
        return skips.summary();
    }
}
