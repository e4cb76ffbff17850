package io.headrace.runtime.construct;

import io.headrace.engine.unit.Dtype;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.video.VideoLayout;
import io.headrace.runtime.construct.shape.ModelForm;
import io.headrace.runtime.construct.shape.SamplePlace;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.construct.shape.TensorNames;
import io.headrace.runtime.deliver.slot.Slot;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The parts of {@code pixel_values}, {@code pixel_values_videos} and {@code input_features} that belong to a sample or to one of its media. */
record PixelTensors(StepTensors tensors) {
    private static final int MIDDLE_LEVEL = 128;

    /** Where a picture's tensor goes: exactly as long as its layout. */
    MemorySegment picture(Slot slot, SamplePlace place, int picture) {
        List<ImageLayout> layouts = place.shape().images();
        long before = layouts.subList(0, picture).stream().mapToLong(ImageLayout::elements).sum();
        return pictures(slot, place).asSlice(bytes(before), bytes(layouts.get(picture).elements()));
    }

    /** Where a video's tensor goes: exactly as long as its layout. */
    MemorySegment video(Slot slot, SamplePlace place, int video) {
        List<VideoLayout> layouts = place.shape().videos();
        long before = layouts.subList(0, video).stream().mapToLong(VideoLayout::elements).sum();
        MemorySegment all =
                tensors.form() == ModelForm.FRAMES || tensors.form() == ModelForm.BUCKETS
                        ? pictures(slot, place)
                        : videos(slot, place);
        return all.asSlice(bytes(before), bytes(layouts.get(video).elements()));
    }

    /** Sets the rows behind a picture that has fewer than the model's frame to zero. */
    void clearPadding(Slot slot, SamplePlace place) {
        if (tensors.form() == ModelForm.NAFLEX) {
            long used = place.shape().images().stream().mapToLong(ImageLayout::elements).sum();
            pictures(slot, place).asSlice(bytes(used)).fill((byte) 0);
        }
    }

    /** Zeros in place of a masked sample's media. */
    void clear(Slot slot, SamplePlace place) {
        if (tensors.form() == ModelForm.TEXT) {
            return;
        }
        if (tensors.form() == ModelForm.SPECTRUM || tensors.form() == ModelForm.SOUND) {
            clearSound(slot, place);
            return;
        }
        pictures(slot, place).fill(nothing());
        if (tensors.form().inText()) {
            long rows = place.shape().images().stream().mapToLong(ImageLayout::rows).sum();
            invalid(slot, place, TensorNames.PATCH_VALID, place.first().pixelRows(), rows);
            if (!place.shape().videos().isEmpty()) {
                videos(slot, place).fill((byte) 0);
                long videoRows = place.shape().videos().stream().mapToLong(VideoLayout::rows).sum();
                invalid(
                        slot,
                        place,
                        TensorNames.VIDEO_PATCH_VALID,
                        place.first().videoRows(),
                        videoRows);
            }
        }
    }

    /** Where no tensor tells which values are masked, levels are those nearest to zero after normalisation. */
    private byte nothing() {
        boolean levels = tensors.pixels() == Dtype.UINT8 && tensors.form() == ModelForm.BUCKETS;
        return (byte) (levels ? MIDDLE_LEVEL : 0);
    }

    /** Where a recording's features go: exactly as long as its layout. */
    MemorySegment sound(Slot slot, SamplePlace place, int recording) {
        return slot.tensor(place.microbatch(), TensorNames.INPUT_FEATURES)
                .asSlice(soundBytes(firstSound(place) + recording), soundBytes(1));
    }

    private void clearSound(Slot slot, SamplePlace place) {
        int recordings = tensors.form() == ModelForm.SPECTRUM ? 1 : place.shape().audios().size();
        for (int i = 0; i < recordings; i++) {
            sound(slot, place, i).fill((byte) 0);
        }
        if (recordings > 0) {
            long frames = Integer.BYTES * (long) tensors.frame().rowElements();
            slot.tensor(place.microbatch(), TensorNames.FEATURE_ATTENTION_MASK)
                    .asSlice(firstSound(place) * frames, recordings * frames)
                    .fill((byte) 0);
        }
    }

    private long firstSound(SamplePlace place) {
        return tensors.form() == ModelForm.SPECTRUM ? place.position() : place.first().audios();
    }

    private long soundBytes(long recordings) {
        int element = tensors.pixels() == Dtype.UINT8 ? Float.BYTES : tensors.pixels().bytes();
        return recordings * tensors.frame().elements() * element;
    }

    private void invalid(Slot slot, SamplePlace place, String tensor, long first, long rows) {
        if (tensors.pixels() == Dtype.UINT8) {
            slot.tensor(place.microbatch(), tensor).asSlice(first, rows).fill((byte) 0);
        }
    }

    /** The sample's part of {@code pixel_values}. */
    private MemorySegment pictures(Slot slot, SamplePlace place) {
        MemorySegment all = slot.tensor(place.microbatch(), TensorNames.PIXEL_VALUES);
        return switch (tensors.form()) {
            case FIXED, NAFLEX, FRAMES -> {
                long elements = tensors.frame().elements();
                yield all.asSlice(bytes(place.position() * elements), bytes(elements));
            }
            case GRID, TILES, ANYRES -> {
                long elements =
                        place.shape().images().stream().mapToLong(ImageLayout::elements).sum();
                yield all.asSlice(row(place.first().pixelRows()), bytes(elements));
            }
            case BUCKETS -> {
                long elements =
                        place.shape().videos().stream().mapToLong(VideoLayout::elements).sum();
                yield all.asSlice(bytes(place.first().videoElements()), bytes(elements));
            }
            case SPECTRUM, SOUND, TEXT -> all.asSlice(0, 0);
        };
    }

    /** The sample's part of {@code pixel_values_videos}. */
    private MemorySegment videos(Slot slot, SamplePlace place) {
        long elements = place.shape().videos().stream().mapToLong(VideoLayout::elements).sum();
        return slot.tensor(place.microbatch(), TensorNames.PIXEL_VALUES_VIDEOS)
                .asSlice(row(place.first().videoRows()), bytes(elements));
    }

    private long row(int row) {
        return bytes((long) row * tensors.frame().rowElements());
    }

    private long bytes(long elements) {
        return elements * tensors.pixels().bytes();
    }
}
