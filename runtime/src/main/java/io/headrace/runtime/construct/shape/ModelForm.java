package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.Descriptor;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.ProcessSpec.Model;
import java.util.List;

/** How a model takes its media: what {@code pixel_values} looks like and where media stand in the sequence. */
public enum ModelForm {
    /** One picture a sample, all of one size: {@code [n, 3, side, side]}. */
    FIXED,
    /** One picture a sample as patches, padded to a number of them: {@code [n, patches, patch * patch * 3]}. */
    NAFLEX,
    /** Any number of pictures and videos, patches one after the other: {@code [all patches, elements]}; placeholders in the text. */
    GRID,
    /** Any number of pictures as square tiles one after the other: {@code [all tiles, 3, side, side]}; placeholders in the text. */
    TILES,
    /**
     * Any number of pictures as square tiles one after the other and of videos of one number of square frames: {@code [all tiles, 3, side,
     * side]}, {@code [videos, frames, 3, side, side]}; placeholders in the text.
     */
    ANYRES,
    /** One video a sample, all of one size: {@code [n, frames, 3, side, side]}. */
    FRAMES,
    /** One video or picture a sample, each of a size of its own, one after the other: {@code [all values]}. */
    BUCKETS,
    /** One recording a sample: {@code [n, bands, 3000]}. */
    SPECTRUM,
    /** Any number of recordings, {@code [all, bands, 3000]}; placeholders in the text. */
    SOUND,
    /** No media. */
    TEXT;

    public static ModelForm of(Model model) {
        return switch (model) {
            case Model.Clip _, Model.Siglip _ -> FIXED;
            case Model.Siglip2 _ -> NAFLEX;
            case Model.Qwen25Vl _, Model.Qwen3Vl _ -> GRID;
            case Model.InternVl _ -> TILES;
            case Model.LlavaOnevision _ -> ANYRES;
            case Model.VideoMae _ -> FRAMES;
            case Model.VideoDiffusion _ -> BUCKETS;
            case Model.Whisper _ -> SPECTRUM;
            case Model.Qwen2Audio _ -> SOUND;
            case Model.TextOnly _ -> TEXT;
        };
    }

    /** The pictures of a sample that the model takes. */
    public List<Part.Image> images(Descriptor descriptor) {
        return switch (this) {
            case FIXED, NAFLEX -> descriptor.images().stream().limit(1).toList();
            case GRID, TILES, ANYRES -> descriptor.images();
            case BUCKETS ->
                    descriptor.videos().isEmpty()
                            ? descriptor.images().stream().limit(1).toList()
                            : List.of();
            case FRAMES, SPECTRUM, SOUND, TEXT -> List.of();
        };
    }

    /** The videos of a sample that the model takes. */
    public List<Part.Video> videos(Descriptor descriptor) {
        return switch (this) {
            case FRAMES, BUCKETS -> descriptor.videos().stream().limit(1).toList();
            case GRID, ANYRES -> descriptor.videos();
            case FIXED, NAFLEX, TILES, SPECTRUM, SOUND, TEXT -> List.of();
        };
    }

    /** The recordings of a sample that the model takes. */
    public List<Part.Audio> audios(Descriptor descriptor) {
        return switch (this) {
            case SPECTRUM -> descriptor.audios().stream().limit(1).toList();
            case SOUND -> descriptor.audios();
            case FIXED, NAFLEX, GRID, TILES, ANYRES, FRAMES, BUCKETS, TEXT -> List.of();
        };
    }

    /** Whether a sample without media has no place in a batch; the media that is then missing. */
    String needed() {
        return switch (this) {
            case FIXED, NAFLEX -> "picture";
            case FRAMES -> "video";
            case BUCKETS -> "video or picture";
            case SPECTRUM -> "recording";
            case GRID, TILES, ANYRES, SOUND, TEXT -> "";
        };
    }

    /** Whether pictures and videos take places in the sequence, one behind the other in tensors of their own. */
    public boolean inText() {
        return this == GRID || this == TILES || this == ANYRES;
    }
}
