package io.headrace.media.text;

import io.headrace.media.text.token.Tokenizer;
import java.util.OptionalInt;

/** The ids that stand around and for a picture in Qwen's vocabularies. */
record VisionTokens(int start, int pad, int end) {

    static final String PAD = "<|image_pad|>";

    /** A picture as Qwen2.5-VL's chat template writes it; its processor then repeats the middle token. */
    static final String TEXT = "<|vision_start|>" + PAD + "<|vision_end|>";

    /** The ids of a vocabulary, or an error that names the token that it lacks. */
    static VisionTokens of(Tokenizer tokenizer) {
        return new VisionTokens(
                needed(tokenizer, "<|vision_start|>"),
                needed(tokenizer, PAD),
                needed(tokenizer, "<|vision_end|>"));
    }

    static int needed(Tokenizer tokenizer, String token) {
        OptionalInt id = tokenizer.id(token);
        return id.orElseThrow(
                () -> new IllegalArgumentException("The vocabulary has no token " + token));
    }

    boolean contains(int id) {
        return id == start || id == pad || id == end;
    }
}
