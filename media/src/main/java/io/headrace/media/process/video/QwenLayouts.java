package io.headrace.media.process.video;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.process.Sizes;
import io.headrace.media.process.video.VideoModel.Sampling;
import io.headrace.media.resize.Window;
import io.headrace.media.video.frames.FrameSampling;
import java.util.List;

/** Frames and sizes of the Qwen video processors of transformers 5. */
final class QwenLayouts {
    private QwenLayouts() {}

    /** Qwen2VLVideoProcessor: the bounds are pixels of a frame. */
    record Qwen25(VideoModel.Qwen25Vl model) implements LayoutRule {
        static final int PATCH = 14;

        /** The part of a context that its videos may take. */
        private static final double SHARED_OUT = 0.9;

        @Override
        public VideoLayout layout(VideoFacts facts) throws BadPayload {
            Sampling sampling = model.sampling();
            int[] frames =
                    sampling.count() > 0
                            ? FrameSampling.qwen2Count(
                                    facts.frames(), sampling.count(), TemporalPatches.TIMES)
                            : FrameSampling.qwen2Rate(
                                    facts.frames(),
                                    facts.meanRate(),
                                    sampling.rate(),
                                    sampling.least(),
                                    sampling.most(),
                                    TemporalPatches.TIMES);
            Sizes.Size size =
                    Sizes.smart(
                            facts.uprightWidth(),
                            facts.uprightHeight(),
                            PATCH * TemporalPatches.MERGE,
                            model.minPixels(),
                            maxPixels(frames.length));
            return patches(frames, size, PATCH, secondsPerGrid(facts, frames.length));
        }

        /** Most pixels of a frame: its share of the context, which pairs of frames divide (cap_pixels_per_frame). */
        private long maxPixels(int frames) {
            if (model.maxTokens() == 0) {
                return model.maxPixels();
            }
            long token = (long) PATCH * TemporalPatches.MERGE * PATCH * TemporalPatches.MERGE;
            long all = (long) (model.maxTokens() * token * SHARED_OUT);
            long share = all * TemporalPatches.TIMES / frames;
            return Math.max(Math.min(model.maxPixels(), share), least(model.minPixels()));
        }

        /** Times of a grid step over the mean rate of the frames that were taken (VideoMetadata.sampled_fps). */
        private static double secondsPerGrid(VideoFacts facts, int count) {
            double sampledRate = (double) count / facts.frames() * facts.meanRate();
            return sampledRate > 0 ? TemporalPatches.TIMES / sampledRate : 0;
        }
    }

    /** Qwen3VLVideoProcessor: the bounds are pixels of all frames together. */
    record Qwen3(VideoModel.Qwen3Vl model) implements LayoutRule {
        static final int PATCH = 16;

        /** What Qwen3VLProcessor takes for a video of which no rate is known. */
        private static final double UNKNOWN_RATE = 24;

        @Override
        public VideoLayout layout(VideoFacts facts) throws BadPayload {
            Sampling sampling = model.sampling();
            int[] frames =
                    sampling.count() > 0
                            ? FrameSampling.qwen3Count(facts.frames(), sampling.count())
                            : FrameSampling.qwen3Rate(
                                    facts.frames(),
                                    facts.meanRate(),
                                    sampling.rate(),
                                    sampling.least(),
                                    sampling.most());
            if (frames.length < TemporalPatches.TIMES) {
                throw new BadPayload(
                        Reason.UNSUPPORTED,
                        "Video of %d frames, of which %d are taken; the model needs %d"
                                .formatted(facts.frames(), frames.length, TemporalPatches.TIMES));
            }
            Sizes.Size size =
                    Sizes.smartVideo(
                            facts.uprightWidth(),
                            facts.uprightHeight(),
                            PATCH * TemporalPatches.MERGE,
                            new Sizes.PixelBounds(model.minPixels(), maxPixels(frames.length)),
                            frames.length,
                            TemporalPatches.TIMES);
            return timed(patches(frames, size, PATCH, 0), facts);
        }

        /** Most pixels of all frames, none of which has more than its tokens or its even share (cap_pixels_per_frame). */
        private long maxPixels(int frames) {
            if (model.maxTokens() == 0) {
                return model.maxPixels();
            }
            long token = (long) PATCH * TemporalPatches.MERGE * PATCH * TemporalPatches.MERGE;
            long share = Math.min(model.maxTokens() * token, model.maxPixels() / frames);
            return Math.max(share, least(model.minPixels())) * frames;
        }

        /** Before each pair stands its time, around its features a start and an end. */
        private static VideoLayout timed(VideoLayout layout, VideoFacts facts) {
            double rate = facts.meanRate() > 0 ? facts.meanRate() : UNKNOWN_RATE;
            List<String> times = FrameTimes.ofPairs(layout.frames(), rate);
            return new VideoLayout(
                    layout.frames(),
                    layout.window(),
                    layout.grid(),
                    layout.rows(),
                    layout.rowElements(),
                    layout.tokens() + FrameTimes.tokens(times) + 2 * times.size(),
                    layout.patches(),
                    0,
                    rate);
        }
    }

    /** A cap leaves a little more than the least pixels. */
    private static long least(long minPixels) {
        return (long) (minPixels * 1.05);
    }

    static VideoLayout patches(int[] frames, Sizes.Size size, int patch, double secondsPerGrid) {
        Grid grid =
                new Grid(
                        Math.ceilDiv(frames.length, TemporalPatches.TIMES),
                        size.height() / patch,
                        size.width() / patch);
        int patches = grid.positions();
        return new VideoLayout(
                SampledFrames.of(frames),
                Window.whole(size.width(), size.height()),
                grid,
                patches,
                3 * TemporalPatches.TIMES * patch * patch,
                patches / (TemporalPatches.MERGE * TemporalPatches.MERGE),
                patches,
                secondsPerGrid);
    }
}
