package io.headrace.media.process.video;

import io.headrace.media.process.Sizes;
import io.headrace.media.resize.Window;
import io.headrace.media.video.frames.FrameSampling;

/** Frames and sizes of models that take a fixed number of whole frames. */
final class FrameLayouts {
    /** VideoMAE's tubes of 2 frames and 16 x 16 pixels. */
    private static final int TUBE_FRAMES = 2;

    private static final int TUBE_SIDE = 16;

    /** Patch of SigLIP so400m, whose 27 x 27 are pooled by 2 to 14 x 14. */
    private static final int SIGLIP_PATCH = 14;

    private static final int POOL = 2;

    private FrameLayouts() {}

    /** The token count is that of the encoder: VideoMAE has no language model. */
    static LayoutRule videoMae(VideoModel.VideoMae model) {
        int side = model.side();
        Grid grid = new Grid(model.frames() / TUBE_FRAMES, side / TUBE_SIDE, side / TUBE_SIDE);
        return facts -> {
            Sizes.Size size = Sizes.shortestEdge(facts.uprightWidth(), facts.uprightHeight(), side);
            Window window =
                    new Window(
                            size.width(),
                            size.height(),
                            Sizes.cropStart(size.width(), side),
                            Sizes.cropStart(size.height(), side),
                            side,
                            side);
            return new VideoLayout(
                    SampledFrames.of(FrameSampling.uniform(facts.frames(), model.frames())),
                    window,
                    Grid.NONE,
                    model.frames(),
                    3 * side * side,
                    grid.positions(),
                    grid.positions(),
                    0);
        };
    }

    /** Tokens: the pooled patches of all frames, and one for the newline behind the video. */
    static LayoutRule llavaOnevision(VideoModel.LlavaOnevision model) {
        int side = model.side();
        int across = side / SIGLIP_PATCH;
        int pooled = Math.ceilDiv(across, POOL);
        return facts ->
                new VideoLayout(
                        SampledFrames.of(FrameSampling.uniform(facts.frames(), model.frames())),
                        Window.whole(side, side),
                        Grid.NONE,
                        model.frames(),
                        3 * side * side,
                        model.frames() * pooled * pooled + 1,
                        model.frames() * across * across,
                        0);
    }
}
