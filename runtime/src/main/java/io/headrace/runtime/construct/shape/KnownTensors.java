package io.headrace.runtime.construct.shape;

import static io.headrace.runtime.construct.shape.TensorNames.*;

import io.headrace.engine.descriptor.Part;
import io.headrace.engine.unit.Dtype;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.audio.AudioLayout;
import io.headrace.media.process.video.Grid;
import io.headrace.media.process.video.VideoLayout;
import io.headrace.runtime.deliver.slot.Slot;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes what the plan alone tells of a step: grids, masks, places and sequence bounds. No payload is needed for it. */
public final class KnownTensors {

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final StepTensors tensors;

    public KnownTensors(StepTensors tensors) {
        this.tensors = tensors;
    }

    /** Writes them for every microbatch; samples count as valid until one is masked. */
    public void write(StepShape shape, Slot slot) {
        for (int m = 0; m < shape.microbatches().size(); m++) {
            StepShape.Microbatch microbatch = shape.microbatches().get(m);
            places(microbatch, slot, m);
            switch (tensors.form()) {
                case NAFLEX -> naflex(microbatch, slot, m);
                case GRID -> grids(microbatch, slot, m);
                case TILES -> tiles(microbatch, slot, m);
                case ANYRES -> anyres(microbatch, slot, m);
                case SPECTRUM, SOUND -> sounds(microbatch, slot, m);
                case BUCKETS -> buckets(microbatch, slot, m);
                case FIXED, FRAMES, TEXT -> {}
            }
            if (tensors.ids() && tensors.packed()) {
                int[] bounds = StepTensors.bounds(microbatch);
                MemorySegment out = slot.tensor(m, CU_SEQLENS);
                for (int i = 0; i < bounds.length; i++) {
                    out.setAtIndex(INT, i, bounds[i]);
                }
            }
        }
    }

    private static void places(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment ids = slot.tensor(m, SAMPLE_IDS);
        MemorySegment places = slot.tensor(m, SAMPLE_PLACES);
        MemorySegment valid = slot.tensor(m, SAMPLE_VALID);
        for (SamplePlace place : microbatch.samples()) {
            int at = place.position();
            ids.setAtIndex(LONG, 2L * at, place.placement().sample().source());
            ids.setAtIndex(LONG, 2L * at + 1, place.placement().sample().index());
            places.setAtIndex(INT, 3L * at, place.placement().row());
            places.setAtIndex(INT, 3L * at + 1, place.placement().offsetTokens());
            places.setAtIndex(INT, 3L * at + 2, place.tokens());
            valid.set(ValueLayout.JAVA_BYTE, at, (byte) (place.placement().filler() ? 0 : 1));
        }
    }

    private void naflex(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment mask = slot.tensor(m, PIXEL_ATTENTION_MASK).fill((byte) 0);
        MemorySegment shapes = slot.tensor(m, SPATIAL_SHAPES).fill((byte) 0);
        for (SamplePlace place : microbatch.samples()) {
            for (ImageLayout layout : place.shape().images()) {
                shapes.setAtIndex(LONG, 2L * place.position(), layout.gridHeight());
                shapes.setAtIndex(LONG, 2L * place.position() + 1, layout.gridWidth());
                for (int patch = 0; patch < layout.patches(); patch++) {
                    mask.setAtIndex(
                            INT, (long) place.position() * tensors.frame().rows() + patch, 1);
                }
            }
        }
    }

    private void grids(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment grids = slot.tensor(m, IMAGE_GRID_THW);
        int image = 0;
        for (SamplePlace place : microbatch.samples()) {
            for (ImageLayout layout : place.shape().images()) {
                grid(grids, image++, 1, layout.gridHeight(), layout.gridWidth());
            }
        }
        if (tensors.pixels() == Dtype.UINT8) {
            slot.tensor(m, PATCH_VALID).fill((byte) 1);
        }
        if (microbatch.media().videos() > 0) {
            videoGrids(microbatch, slot, m);
        }
    }

    private static void buckets(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment shapes = slot.tensor(m, VIDEO_SHAPES).fill((byte) 0);
        MemorySegment grids = slot.tensor(m, VIDEO_GRID_THW).fill((byte) 0);
        for (SamplePlace place : microbatch.samples()) {
            for (VideoLayout layout : place.shape().videos()) {
                long at = 4L * place.position();
                shapes.setAtIndex(LONG, at, 3);
                shapes.setAtIndex(LONG, at + 1, layout.frames().count());
                shapes.setAtIndex(LONG, at + 2, layout.window().rows());
                shapes.setAtIndex(LONG, at + 3, layout.window().columns());
                Grid grid = layout.grid();
                grid(grids, place.position(), grid.times(), grid.height(), grid.width());
            }
        }
    }

    private void tiles(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment counts = slot.tensor(m, NUM_PATCHES);
        int image = 0;
        for (SamplePlace place : microbatch.samples()) {
            for (ImageLayout layout : place.shape().images()) {
                counts.setAtIndex(LONG, image++, layout.rows());
            }
        }
        if (tensors.pixels() == Dtype.UINT8) {
            slot.tensor(m, PATCH_VALID).fill((byte) 1);
        }
    }

    private void anyres(StepShape.Microbatch microbatch, Slot slot, int m) {
        tiles(microbatch, slot, m);
        MemorySegment sizes = slot.tensor(m, IMAGE_SIZES);
        MemorySegment counts = slot.tensor(m, BATCH_NUM_IMAGES);
        long next = 0;
        for (SamplePlace place : microbatch.samples()) {
            int pictures = place.shape().images().size();
            counts.setAtIndex(LONG, place.position(), pictures);
            for (Part.Image image : place.descriptor().images().subList(0, pictures)) {
                boolean turned = tensors.upright();
                sizes.setAtIndex(LONG, next++, turned ? image.uprightHeight() : image.height());
                sizes.setAtIndex(LONG, next++, turned ? image.uprightWidth() : image.width());
            }
        }
        if (tensors.pixels() == Dtype.UINT8 && microbatch.media().videos() > 0) {
            slot.tensor(m, VIDEO_PATCH_VALID).fill((byte) 1);
        }
    }

    private void videoGrids(StepShape.Microbatch microbatch, Slot slot, int m) {
        MemorySegment grids = slot.tensor(m, VIDEO_GRID_THW);
        int video = 0;
        for (SamplePlace place : microbatch.samples()) {
            for (VideoLayout layout : place.shape().videos()) {
                Grid grid = layout.grid();
                grid(grids, video, grid.times(), grid.height(), grid.width());
                if (tensors.timed()) {
                    float seconds = (float) layout.secondsPerGrid();
                    slot.tensor(m, SECOND_PER_GRID_TS).setAtIndex(FLOAT, video, seconds);
                }
                video++;
            }
        }
        if (tensors.pixels() == Dtype.UINT8) {
            slot.tensor(m, VIDEO_PATCH_VALID).fill((byte) 1);
        }
    }

    private void sounds(StepShape.Microbatch microbatch, Slot slot, int m) {
        if (tensors.form() == ModelForm.SOUND && microbatch.media().audios() == 0) {
            return;
        }
        MemorySegment mask = slot.tensor(m, FEATURE_ATTENTION_MASK).fill((byte) 0);
        long frames = tensors.frame().rowElements();
        for (SamplePlace place : microbatch.samples()) {
            long recording =
                    tensors.form() == ModelForm.SOUND ? place.first().audios() : place.position();
            for (AudioLayout layout : place.shape().audios()) {
                for (int frame = 0; frame < layout.validFrames(); frame++) {
                    mask.setAtIndex(INT, recording * frames + frame, 1);
                }
                recording++;
            }
        }
    }

    private static void grid(MemorySegment grids, int at, int times, int height, int width) {
        grids.setAtIndex(LONG, 3L * at, times);
        grids.setAtIndex(LONG, 3L * at + 1, height);
        grids.setAtIndex(LONG, 3L * at + 2, width);
    }
}
