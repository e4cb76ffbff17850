package io.headrace.media.text;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec.Model;
import java.util.Optional;

/** How a model writes the places of media among its text: the token that is repeated, and what stands around it. */
public enum MediaStyle {
    /** Media take no positions in the text (CLIP, SigLIP, text alone). */
    APART,
    /** Qwen2.5-VL. */
    QWEN_VL;

    /**
     * The writing of one place.
     *
     * @param start token in front, or nothing
     * @param pad token that is repeated for each position
     * @param end token behind, or nothing
     */
    record Marks(String start, String pad, String end) {
        String text() {
            return start + pad + end;
        }
    }

    /** The style of a model. */
    public static MediaStyle of(Model model) {
        return model instanceof Model.Qwen25Vl ? QWEN_VL : APART;
    }

    /** How a place is written; empty: the model takes none of that kind among its text. */
    Optional<Marks> marks(MediaKind kind) {
        return switch (this) {
            case APART -> Optional.empty();
            case QWEN_VL ->
                    switch (kind) {
                        case IMAGE -> Optional.of(vision("<|image_pad|>"));
                        case VIDEO -> Optional.of(vision("<|video_pad|>"));
                        case AUDIO -> Optional.empty();
                    };
        };
    }

    private static Marks vision(String pad) {
        return new Marks("<|vision_start|>", pad, "<|vision_end|>");
    }

    boolean inSequence() {
        return this != APART;
    }
}
