package io.headrace.runtime.construct;

import io.headrace.engine.unit.Dtype;
import io.headrace.media.process.ImageLayout;
import io.headrace.runtime.construct.shape.ModelForm;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.construct.shape.TensorNames;
import io.headrace.runtime.deliver.slot.Slot;
import java.lang.foreign.MemorySegment;

/** The part of {@code pixel_values} that belongs to a sample or to one of its pictures. */
record PixelTensors(StepTensors tensors) {

    /** Where a picture's tensor goes: exactly as long as its layout. */
    MemorySegment picture(Slot slot, SamplePlace place, int picture) {
        ImageLayout layout = place.shape().images().get(picture);
        long bytes = layout.elements() * tensors.pixels().bytes();
        long offset = offset(place);
        for (ImageLayout before : place.shape().images().subList(0, picture)) {
            offset += before.elements() * tensors.pixels().bytes();
        }
        return pixels(slot, place).asSlice(offset, bytes);
    }

    /** Sets the rows behind a picture that has fewer than the model's frame to zero. */
    void clearPadding(Slot slot, SamplePlace place) {
        if (tensors.form() == ModelForm.NAFLEX) {
            long used =
                    place.shape().images().stream().mapToLong(ImageLayout::elements).sum()
                            * tensors.pixels().bytes();
            all(slot, place).asSlice(used).fill((byte) 0);
        }
    }

    /** Zeros in place of a masked sample's pictures. */
    void clear(Slot slot, SamplePlace place) {
        if (tensors.form() == ModelForm.TEXT) {
            return;
        }
        all(slot, place).fill((byte) 0);
        if (tensors.form() == ModelForm.GRID && tensors.pixels() == Dtype.UINT8) {
            slot.tensor(place.microbatch(), TensorNames.PATCH_VALID)
                    .asSlice(place.firstPixelRow(), pixelRows(place))
                    .fill((byte) 0);
        }
    }

    private MemorySegment all(Slot slot, SamplePlace place) {
        long bytes =
                switch (tensors.form()) {
                    case FIXED, NAFLEX -> tensors.frame().elements();
                    case GRID ->
                            place.shape().images().stream().mapToLong(ImageLayout::elements).sum();
                    case TEXT -> 0L;
                };
        return pixels(slot, place).asSlice(offset(place), bytes * tensors.pixels().bytes());
    }

    private long offset(SamplePlace place) {
        return switch (tensors.form()) {
            case FIXED, NAFLEX ->
                    place.position() * tensors.frame().elements() * tensors.pixels().bytes();
            case GRID ->
                    (long) place.firstPixelRow()
                            * StepTensors.QWEN_PATCH_ELEMENTS
                            * tensors.pixels().bytes();
            case TEXT -> 0L;
        };
    }

    private static long pixelRows(SamplePlace place) {
        return place.shape().images().stream().mapToLong(ImageLayout::rows).sum();
    }

    private static MemorySegment pixels(Slot slot, SamplePlace place) {
        return slot.tensor(place.microbatch(), TensorNames.PIXEL_VALUES);
    }
}
