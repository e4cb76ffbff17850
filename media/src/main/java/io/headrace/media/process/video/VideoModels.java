package io.headrace.media.process.video;

import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.VideoSpec;
import io.headrace.media.process.video.VideoModel.Sampling;
import java.util.Optional;

/** The video processor that a recipe's model names. */
public final class VideoModels {
    /** Pixels of a side of a frame of LLaVA-OneVision. */
    private static final int LLAVA_SIDE = 384;

    private VideoModels() {}

    /** Its settings; empty for a model that takes no videos. */
    public static Optional<VideoModel> of(Model model) {
        return switch (model) {
            case Model.Qwen25Vl(_, _, VideoSpec video) ->
                    Optional.of(
                            new VideoModel.Qwen25Vl(
                                    sampling(video),
                                    video.minPixels(),
                                    video.maxPixels(),
                                    video.maxTokens()));
            case Model.Qwen3Vl(_, _, VideoSpec video) ->
                    Optional.of(
                            new VideoModel.Qwen3Vl(
                                    sampling(video),
                                    video.minPixels(),
                                    video.maxPixels(),
                                    video.maxTokens()));
            case Model.LlavaOnevision(int frames) ->
                    Optional.of(new VideoModel.LlavaOnevision(frames, LLAVA_SIDE));
            case Model.VideoMae(int frames, int side) ->
                    Optional.of(new VideoModel.VideoMae(frames, side));
            case Model.VideoDiffusion diffusion ->
                    Optional.of(new VideoModel.Diffusion(SizeBuckets.of(diffusion)));
            case Model.Clip _,
                    Model.Siglip _,
                    Model.Siglip2 _,
                    Model.InternVl _,
                    Model.Whisper _,
                    Model.Qwen2Audio _,
                    Model.TextOnly _ ->
                    Optional.empty();
        };
    }

    private static Sampling sampling(VideoSpec video) {
        return video.frames() > 0
                ? Sampling.ofCount(video.frames())
                : Sampling.atRate(video.rate(), video.minFrames(), video.maxFrames());
    }
}
