package io.headrace.bench;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.VideoFile;
import io.headrace.media.video.VideoProbe;
import io.headrace.media.video.decode.FrameSink;
import io.headrace.media.video.decode.VideoDecoder;
import io.headrace.media.video.frames.FrameIndex;
import io.headrace.media.video.frames.FrameSampling;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The way of a video from its bytes to the chosen frames in RGB: header, choice, decoding, colours. Not thread-safe. */
final class VideoWay implements AutoCloseable {
    private static final long MOST_PIXELS = 1 << 26;

    private final VideoDecoder decoder = new VideoDecoder();
    private final Choice choice;

    /** Which frames are taken. */
    @FunctionalInterface
    private interface Choice {
        int[] frames(FrameIndex index) throws BadPayload;
    }

    /** {@code rate:2}: so many a second, as Qwen2.5-VL takes them; {@code count:8}: so many at even distances. */
    static VideoWay of(String name) {
        String[] parts = name.split(":", -1);
        double number = Double.parseDouble(parts[1]);
        return new VideoWay(
                switch (parts[0]) {
                    case "rate" ->
                            index ->
                                    FrameSampling.qwen2Rate(
                                            index.size(), index.meanRate(), number, 4, 768, 2);
                    case "count" -> index -> FrameSampling.uniform(index.size(), (int) number);
                    default -> throw new IllegalArgumentException("Unknown choice: " + name);
                });
    }

    private VideoWay(Choice choice) {
        this.choice = choice;
    }

    /** Gives the chosen frames to the sink; returns their places. */
    int[] run(MemorySegment encoded, FrameSink sink) throws BadPayload, IOException {
        VideoFile video = VideoProbe.read(ByteView.of(encoded));
        int[] wanted = choice.frames(video.index());
        decoder.decode(video, encoded, wanted, MOST_PIXELS, sink);
        return wanted;
    }

    @Override
    public void close() {
        decoder.close();
    }
}
