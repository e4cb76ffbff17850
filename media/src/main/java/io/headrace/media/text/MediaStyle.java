package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec.Model;
import java.util.Optional;

/** How a model writes the places of media among its text: the token that is repeated, and what stands around it. */
public enum MediaStyle {
    /** Media take no positions in the text (CLIP, SigLIP, text alone). */
    APART,
    /** Qwen2.5-VL. */
    QWEN_VL,
    /** Qwen3-VL: as Qwen2.5-VL, with the time before each pair of a video's frames. */
    QWEN3_VL,
    /** InternVL3: all tiles of a picture between one start and one end. */
    INTERN_VL,
    /** LLaVA-OneVision: the repeated token alone. */
    LLAVA,
    /** Qwen2-Audio: each recording is announced by its number and ends a line. */
    QWEN_AUDIO;

    /**
     * The writing of one place.
     *
     * @param before what announces the place; {@code %d} is its number among those of its kind, from 1
     * @param start token in front, or nothing
     * @param pad token that is repeated for each position
     * @param end token behind, or nothing
     * @param after what closes the place
     */
    record Marks(String before, String start, String pad, String end, String after) {
        String text(int number) {
            return before.formatted(number) + start + pad + end + after;
        }
    }

    /** The style of a model. */
    public static MediaStyle of(Model model) {
        return switch (model) {
            case Model.Qwen25Vl _ -> QWEN_VL;
            case Model.Qwen3Vl _ -> QWEN3_VL;
            case Model.InternVl _ -> INTERN_VL;
            case Model.LlavaOnevision _ -> LLAVA;
            case Model.Qwen2Audio _ -> QWEN_AUDIO;
            case Model.Clip _,
                    Model.Siglip _,
                    Model.Siglip2 _,
                    Model.VideoMae _,
                    Model.VideoDiffusion _,
                    Model.Whisper _,
                    Model.TextOnly _ ->
                    APART;
        };
    }

    /** How a place is written; empty: the model takes none of that kind among its text. */
    Optional<Marks> marks(MediaKind kind) {
        return switch (this) {
            case APART -> Optional.empty();
            case QWEN_VL, QWEN3_VL ->
                    switch (kind) {
                        case IMAGE -> Optional.of(vision("<|image_pad|>"));
                        case VIDEO -> Optional.of(vision("<|video_pad|>"));
                        case AUDIO -> Optional.empty();
                    };
            case INTERN_VL ->
                    kind == MediaKind.IMAGE
                            ? Optional.of(new Marks("", "<img>", "<IMG_CONTEXT>", "</img>", ""))
                            : Optional.empty();
            case LLAVA ->
                    switch (kind) {
                        case IMAGE -> Optional.of(new Marks("", "", "<image>", "", ""));
                        case VIDEO -> Optional.of(new Marks("", "", "<video>", "", ""));
                        case AUDIO -> Optional.empty();
                    };
            case QWEN_AUDIO ->
                    kind == MediaKind.AUDIO
                            ? Optional.of(
                                    new Marks(
                                            "Audio %d: ",
                                            "<|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>", "\n"))
                            : Optional.empty();
        };
    }

    private static Marks vision(String pad) {
        return new Marks("", "<|vision_start|>", pad, "<|vision_end|>", "");
    }

    /** Whether its chat template begins with a system turn where the conversation has none. */
    boolean hasSystemTurn() {
        return this != QWEN3_VL;
    }

    boolean inSequence() {
        return this != APART;
    }
}
