package io.headrace.media.process.video;

import io.headrace.media.resize.Window;
import java.util.List;

/**
 * Sizes of one video's output.
 *
 * @param frames what is decoded
 * @param window the size that each frame is resized to, and the part of it that the tensor holds
 * @param grid {@code video_grid_thw} of Qwen; the latent of a diffusion model, in positions of its transformer
 * @param rows first dimension of the video's part of {@code pixel_values_videos}: patches where the model takes patches, frames
 *     where it takes whole frames, 1 where channels come before frames
 * @param rowElements elements of one row
 * @param tokens positions that the video takes in the backbone's sequence, what stands between its frames included
 * @param patches positions of the vision encoder, over all frames
 * @param secondsPerGrid {@code second_per_grid_ts} of Qwen2.5-VL: time from one step of the grid to the next; 0 for other models
 * @param rate frames a second of the video where its times are written among the text (Qwen3-VL), else 0
 */
public record VideoLayout(
        SampledFrames frames,
        Window window,
        Grid grid,
        int rows,
        int rowElements,
        int tokens,
        int patches,
        double secondsPerGrid,
        double rate) {

    /** A video whose times are not written among the text. */
    VideoLayout(
            SampledFrames frames,
            Window window,
            Grid grid,
            int rows,
            int rowElements,
            int tokens,
            int patches,
            double secondsPerGrid) {
        this(frames, window, grid, rows, rowElements, tokens, patches, secondsPerGrid, 0);
    }

    /** What the text tells of the times of pairs of frames; empty where it tells nothing. */
    public List<String> times() {
        return rate > 0 ? FrameTimes.ofPairs(frames, rate) : List.of();
    }

    /** Elements of the whole output. */
    public long elements() {
        return (long) rows * rowElements;
    }

    /** Pixels of all frames after the resize and crop, a measure of the work behind the decoder. */
    public long pixels() {
        return (long) frames.count() * window.columns() * window.rows();
    }
}
