package io.headrace.media.process.video;

import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.process.Elements;
import io.headrace.media.process.Normalisation;
import io.headrace.media.resize.Filter;

/** Makes the processor of a model. */
public final class VideoProcessors {
    private VideoProcessors() {}

    /** A processor for one decode thread. */
    public static VideoProcessor create(VideoModel model, Wire wire) {
        return switch (model) {
            case VideoModel.Qwen25Vl qwen ->
                    patches(
                            new QwenLayouts.Qwen25(qwen),
                            QwenLayouts.Qwen25.PATCH,
                            wire,
                            Normalisation.clip());
            case VideoModel.Qwen3Vl qwen ->
                    patches(
                            new QwenLayouts.Qwen3(qwen),
                            QwenLayouts.Qwen3.PATCH,
                            wire,
                            Normalisation.half());
            case VideoModel.VideoMae mae ->
                    frames(
                            FrameLayouts.videoMae(mae),
                            Filter.BILINEAR,
                            wire,
                            Normalisation.imageNet());
            case VideoModel.LlavaOnevision llava ->
                    frames(
                            FrameLayouts.llavaOnevision(llava),
                            Filter.BICUBIC,
                            wire,
                            Normalisation.half());
            case VideoModel.Diffusion diffusion -> diffusion(diffusion, wire);
        };
    }

    private static VideoProcessor patches(
            LayoutRule rule, int patch, Wire wire, Normalisation normalisation) {
        Elements elements = Elements.of(wire, normalisation);
        return new ResizingVideoProcessor(
                rule,
                Filter.BICUBIC,
                new TemporalPatches(patch, elements),
                elements,
                normalisation);
    }

    private static VideoProcessor frames(
            LayoutRule rule, Filter filter, Wire wire, Normalisation normalisation) {
        Elements elements = Elements.of(wire, normalisation);
        return new ResizingVideoProcessor(
                rule, filter, new PlanarFrames(elements, false), elements, normalisation);
    }

    private static VideoProcessor diffusion(VideoModel.Diffusion model, Wire wire) {
        Normalisation normalisation = Normalisation.half();
        Elements elements = Elements.of(wire, normalisation);
        return new ResizingVideoProcessor(
                new BucketLayouts(model.buckets()),
                Filter.BICUBIC,
                new PlanarFrames(elements, true),
                elements,
                normalisation);
    }
}
