package io.headrace.runtime.construct.shape;

import static io.headrace.runtime.construct.shape.TensorNames.*;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.engine.unit.Dtype;
import io.headrace.media.audio.mel.LogMel;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.text.row.SequenceBounds;
import io.headrace.runtime.deliver.slot.SlotLayout;
import io.headrace.runtime.deliver.slot.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Which tensors a microbatch has, with their shapes: a function of the recipe and of the step's shape.
 *
 * @param form how pictures stand in the batch
 * @param packed whether a row holds several samples
 * @param ids whether there is a tokenizer
 * @param upright whether pictures are turned upright
 * @param timed whether positions follow the seconds between a video's frames
 * @param pixels element type of {@code pixel_values}
 * @param frame layout of every picture where all have one; without rows and with the elements of one where their number follows from the
 *     picture; else that of none
 */
public record StepTensors(
        ModelForm form,
        boolean packed,
        boolean ids,
        boolean upright,
        boolean timed,
        Dtype pixels,
        ImageLayout frame) {

    private static final ImageLayout NO_FRAME = new ImageLayout(0, 0, 0, 0, 0, 0, 0, 0);

    /** Channels and times of a Qwen patch. */
    private static final int QWEN_PLANES = 3 * 2;

    private static final int QWEN_PATCH = 14;
    private static final int QWEN3_PATCH = 16;
    private static final int TILE_SIDE = 448;
    private static final int SQUARE_SIDE = 384;

    /** The tensors of a recipe. */
    public static StepTensors of(Recipe recipe) {
        ProcessSpec process = recipe.process();
        return new StepTensors(
                ModelForm.of(process.model()),
                recipe.batch() instanceof BatchSpec.Packs,
                process.text().tokenizer() != null,
                process.applyOrientation(),
                process.model() instanceof ProcessSpec.Model.Qwen25Vl,
                switch (process.wire()) {
                    case FLOAT32 -> Dtype.FLOAT32;
                    case BFLOAT16 -> Dtype.BFLOAT16;
                    case UINT8 -> Dtype.UINT8;
                },
                frame(process.model()));
    }

    private static ImageLayout frame(ProcessSpec.Model model) {
        return switch (model) {
            case ProcessSpec.Model.Clip(int side) -> square(side);
            case ProcessSpec.Model.Siglip(int side) -> square(side);
            case ProcessSpec.Model.Siglip2(int patch, int most) ->
                    new ImageLayout(0, 0, most, patch * patch * 3, 0, 0, 0, most);
            case ProcessSpec.Model.VideoMae(int frames, int side) ->
                    new ImageLayout(side, side, frames, 3 * side * side, 0, 0, 0, 0);
            case ProcessSpec.Model.Whisper(int bands, _) -> spectrum(bands);
            case ProcessSpec.Model.Qwen2Audio _ -> spectrum(ProcessSpec.Model.Qwen2Audio.BANDS);
            case ProcessSpec.Model.Qwen25Vl _ -> row(0, QWEN_PLANES * QWEN_PATCH * QWEN_PATCH);
            case ProcessSpec.Model.Qwen3Vl _ -> row(0, QWEN_PLANES * QWEN3_PATCH * QWEN3_PATCH);
            case ProcessSpec.Model.InternVl _ -> row(TILE_SIDE, 3 * TILE_SIDE * TILE_SIDE);
            case ProcessSpec.Model.LlavaOnevision _ ->
                    row(SQUARE_SIDE, 3 * SQUARE_SIDE * SQUARE_SIDE);
            case ProcessSpec.Model.VideoDiffusion _, ProcessSpec.Model.TextOnly _ -> NO_FRAME;
        };
    }

    private static ImageLayout row(int side, int elements) {
        return new ImageLayout(side, side, 0, elements, 0, 0, 0, 0);
    }

    private static ImageLayout spectrum(int bands) {
        return new ImageLayout(0, 0, bands, LogMel.FRAMES, 0, 0, 0, 0);
    }

    private static ImageLayout square(int side) {
        return new ImageLayout(side, side, 1, 3 * side * side, 0, 0, 0, 0);
    }

    /** Planes of {@code position_ids}: three where pictures have rows and columns. */
    public int positionPlanes() {
        return form == ModelForm.GRID ? 3 : packed ? 1 : 0;
    }

    public boolean hasLabels() {
        return switch (form) {
            case GRID, TILES, ANYRES, SOUND, TEXT -> true;
            case FIXED, NAFLEX, FRAMES, BUCKETS, SPECTRUM -> false;
        };
    }

    /** The slot of a rank's step. */
    public SlotLayout layout(StepShape shape) {
        return SlotLayout.of(shape.microbatches().stream().map(this::specs).toList());
    }

    /** Tensors of one microbatch. */
    List<TensorSpec> specs(StepShape.Microbatch shape) {
        List<TensorSpec> specs = new ArrayList<>();
        pictures(shape, specs);
        if (ids) {
            text(shape, specs);
        }
        long samples = shape.samples().size();
        specs.add(TensorSpec.of(SAMPLE_IDS, Dtype.INT64, samples, 2));
        specs.add(TensorSpec.of(SAMPLE_PLACES, Dtype.INT32, samples, 3));
        specs.add(TensorSpec.of(SAMPLE_VALID, Dtype.UINT8, samples));
        return specs;
    }

    private void pictures(StepShape.Microbatch shape, List<TensorSpec> specs) {
        long samples = shape.samples().size();
        switch (form) {
            case FIXED ->
                    specs.add(
                            TensorSpec.of(
                                    PIXEL_VALUES,
                                    pixels,
                                    samples,
                                    3,
                                    frame.resizedHeight(),
                                    frame.resizedWidth()));
            case NAFLEX -> {
                specs.add(
                        TensorSpec.of(
                                PIXEL_VALUES, pixels, samples, frame.rows(), frame.rowElements()));
                specs.add(TensorSpec.of(PIXEL_ATTENTION_MASK, Dtype.INT32, samples, frame.rows()));
                specs.add(TensorSpec.of(SPATIAL_SHAPES, Dtype.INT64, samples, 2));
            }
            case GRID -> {
                grid(
                        specs,
                        PIXEL_VALUES,
                        IMAGE_GRID_THW,
                        PATCH_VALID,
                        shape.media().pixelRows(),
                        shape.media().images());
                if (shape.media().videos() > 0) {
                    grid(
                            specs,
                            PIXEL_VALUES_VIDEOS,
                            VIDEO_GRID_THW,
                            VIDEO_PATCH_VALID,
                            shape.media().videoRows(),
                            shape.media().videos());
                    if (timed) {
                        specs.add(
                                TensorSpec.of(
                                        SECOND_PER_GRID_TS, Dtype.FLOAT32, shape.media().videos()));
                    }
                }
            }
            case TILES -> tiles(shape, specs);
            case ANYRES -> {
                tiles(shape, specs);
                specs.add(TensorSpec.of(IMAGE_SIZES, Dtype.INT64, shape.media().images(), 2));
                specs.add(TensorSpec.of(BATCH_NUM_IMAGES, Dtype.INT64, samples));
                squareFrames(shape, specs);
            }
            case FRAMES ->
                    specs.add(
                            TensorSpec.of(
                                    PIXEL_VALUES,
                                    pixels,
                                    samples,
                                    frame.rows(),
                                    3,
                                    frame.resizedHeight(),
                                    frame.resizedWidth()));
            case BUCKETS -> {
                specs.add(TensorSpec.of(PIXEL_VALUES, pixels, shape.media().videoElements()));
                specs.add(TensorSpec.of(VIDEO_SHAPES, Dtype.INT64, samples, 4));
                specs.add(TensorSpec.of(VIDEO_GRID_THW, Dtype.INT64, samples, 3));
            }
            case SPECTRUM -> sound(specs, samples);
            case SOUND -> sound(specs, shape.media().audios());
            case TEXT -> {}
        }
    }

    private void tiles(StepShape.Microbatch shape, List<TensorSpec> specs) {
        long tiles = shape.media().pixelRows();
        int side = frame.resizedHeight();
        specs.add(TensorSpec.of(PIXEL_VALUES, pixels, tiles, 3, side, side));
        specs.add(TensorSpec.of(NUM_PATCHES, Dtype.INT64, shape.media().images()));
        if (pixels == Dtype.UINT8) {
            specs.add(TensorSpec.of(PATCH_VALID, Dtype.UINT8, tiles));
        }
    }

    /** Videos of one number of frames. */
    private void squareFrames(StepShape.Microbatch shape, List<TensorSpec> specs) {
        long videos = shape.media().videos();
        if (videos == 0) {
            return;
        }
        long frames = shape.media().videoRows() / videos;
        int side = frame.resizedHeight();
        specs.add(TensorSpec.of(PIXEL_VALUES_VIDEOS, pixels, videos, frames, 3, side, side));
        if (pixels == Dtype.UINT8) {
            specs.add(TensorSpec.of(VIDEO_PATCH_VALID, Dtype.UINT8, videos, frames));
        }
    }

    private void sound(List<TensorSpec> specs, long recordings) {
        if (recordings > 0) {
            Dtype dtype = pixels == Dtype.UINT8 ? Dtype.FLOAT32 : pixels;
            specs.add(
                    TensorSpec.of(
                            INPUT_FEATURES, dtype, recordings, frame.rows(), frame.rowElements()));
            specs.add(
                    TensorSpec.of(
                            FEATURE_ATTENTION_MASK, Dtype.INT32, recordings, frame.rowElements()));
        }
    }

    private void grid(
            List<TensorSpec> specs, String patches, String grids, String valid, long rows, long n) {
        specs.add(TensorSpec.of(patches, pixels, rows, frame.rowElements()));
        specs.add(TensorSpec.of(grids, Dtype.INT64, n, 3));
        if (pixels == Dtype.UINT8) {
            specs.add(TensorSpec.of(valid, Dtype.UINT8, rows));
        }
    }

    private void text(StepShape.Microbatch shape, List<TensorSpec> specs) {
        long rows = shape.rows();
        long length = shape.lengthTokens();
        specs.add(TensorSpec.of(INPUT_IDS, Dtype.INT64, rows, length));
        if (hasLabels()) {
            specs.add(TensorSpec.of(LABELS, Dtype.INT64, rows, length));
        }
        if (positionPlanes() == 3) {
            specs.add(TensorSpec.of(POSITION_IDS, Dtype.INT64, 3, rows, length));
        } else if (positionPlanes() == 1) {
            specs.add(TensorSpec.of(POSITION_IDS, Dtype.INT64, rows, length));
        }
        if (packed) {
            specs.add(TensorSpec.of(SEGMENT_IDS, Dtype.INT32, rows, length));
            specs.add(TensorSpec.of(CU_SEQLENS, Dtype.INT32, bounds(shape).length));
        } else {
            specs.add(TensorSpec.of(ATTENTION_MASK, Dtype.INT64, rows, length));
        }
    }

    /** Bounds of the sequences of a microbatch's packs. */
    static int[] bounds(StepShape.Microbatch shape) {
        return SequenceBounds.of(
                shape.rows(),
                shape.lengthTokens(),
                shape.samples().stream()
                        .map(
                                s ->
                                        new SequenceBounds.Extent(
                                                s.placement().row(),
                                                s.placement().offsetTokens(),
                                                s.tokens()))
                        .toList());
    }
}
