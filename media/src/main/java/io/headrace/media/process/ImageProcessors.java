package io.headrace.media.process;

import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.media.resize.Filter;

/** Makes the processor of a recipe's model. */
public final class ImageProcessors {
    private static final int QWEN_PATCH = 14;
    private static final int QWEN3_PATCH = 16;
    private static final int QWEN_MERGE = 2;
    private static final int QWEN_TIMES = 2;
    private static final int CLIP_PATCH = 32;
    private static final int SIGLIP_PATCH = 16;

    private ImageProcessors() {}

    /**
     * A processor for one decode thread.
     *
     * @throws IllegalArgumentException if the recipe's model takes no pictures
     */
    public static ImageProcessor create(ProcessSpec spec) {
        return switch (spec.model()) {
            case Model.Clip clip -> clip(clip, spec.wire());
            case Model.Siglip siglip -> siglip(siglip, spec.wire());
            case Model.Siglip2 siglip2 -> siglip2(siglip2, spec.wire());
            case Model.Qwen25Vl(long min, long max, _) ->
                    qwen(QWEN_PATCH, min, max, Normalisation.clip(), spec.wire());
            case Model.Qwen3Vl(long min, long max, _) ->
                    qwen(QWEN3_PATCH, min, max, Normalisation.half(), spec.wire());
            case Model.InternVl(int maxTiles) -> new TilingProcessor(maxTiles, spec.wire());
            case Model.LlavaOnevision _ -> new AnyresProcessor(spec.maxImagePixels(), spec.wire());
            case Model.VideoMae _,
                    Model.VideoDiffusion _,
                    Model.Whisper _,
                    Model.Qwen2Audio _,
                    Model.TextOnly _ ->
                    throw new IllegalArgumentException(
                            "The recipe's model takes no pictures: " + spec.model());
        };
    }

    private static ImageProcessor clip(Model.Clip model, Wire wire) {
        Normalisation normalisation = Normalisation.clip();
        Elements elements = Elements.of(wire, normalisation);
        int side = model.side();
        int patches = (side / CLIP_PATCH) * (side / CLIP_PATCH);
        return new ResizingProcessor(
                (width, height) -> {
                    Sizes.Size size = Sizes.shortestEdge(width, height, side);
                    return new ImageLayout(
                            size.width(),
                            size.height(),
                            1,
                            3 * side * side,
                            0,
                            0,
                            patches + 1,
                            patches);
                },
                Filter.BICUBIC,
                new PlanarArrangement(side, elements),
                elements,
                normalisation);
    }

    private static ImageProcessor siglip(Model.Siglip model, Wire wire) {
        Normalisation normalisation = Normalisation.half();
        Elements elements = Elements.of(wire, normalisation);
        int side = model.side();
        int patches = (side / SIGLIP_PATCH) * (side / SIGLIP_PATCH);
        ImageLayout layout =
                new ImageLayout(side, side, 1, 3 * side * side, 0, 0, patches, patches);
        return new ResizingProcessor(
                (width, height) -> layout,
                Filter.BICUBIC,
                new PlanarArrangement(side, elements),
                elements,
                normalisation);
    }

    private static ImageProcessor siglip2(Model.Siglip2 model, Wire wire) {
        Normalisation normalisation = Normalisation.half();
        Elements elements = Elements.of(wire, normalisation);
        int patch = model.patch();
        return new ResizingProcessor(
                (width, height) ->
                        patches(
                                Sizes.naflex(width, height, patch, model.maxPatches()),
                                patch,
                                3,
                                1),
                Filter.BILINEAR,
                new RasterPatches(patch, elements),
                elements,
                normalisation);
    }

    private static ImageProcessor qwen(
            int patch, long minPixels, long maxPixels, Normalisation normalisation, Wire wire) {
        Elements elements = Elements.of(wire, normalisation);
        return new ResizingProcessor(
                (width, height) ->
                        patches(
                                Sizes.smart(
                                        width, height, patch * QWEN_MERGE, minPixels, maxPixels),
                                patch,
                                3 * QWEN_TIMES,
                                QWEN_MERGE * QWEN_MERGE),
                Filter.BICUBIC,
                new MergedPatches(patch, elements),
                elements,
                normalisation);
    }

    private static ImageLayout patches(Sizes.Size size, int patch, int planes, int patchesOfToken) {
        int down = size.height() / patch;
        int across = size.width() / patch;
        int patches = down * across;
        return new ImageLayout(
                size.width(),
                size.height(),
                patches,
                planes * patch * patch,
                down,
                across,
                patches / patchesOfToken,
                patches);
    }
}
