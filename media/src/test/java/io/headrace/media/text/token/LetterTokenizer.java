package io.headrace.media.text.token;

import java.util.stream.IntStream;

/** One id a character, and one each for Qwen's vision and chat tokens: small enough to check by hand. */
public final class LetterTokenizer implements Tokenizer {

    private static final String[] TOKENS = {
        "<|endoftext|>",
        "<|vision_start|>",
        "<|image_pad|>",
        "<|vision_end|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|video_pad|>"
    };

    @Override
    public int[] ids(String text, boolean withSpecialTokens) {
        String rest = text;
        for (int i = 0; i < TOKENS.length; i++) {
            rest = rest.replace(TOKENS[i], String.valueOf((char) i));
        }
        IntStream ids = rest.chars();
        return ids.toArray();
    }

    @Override
    public int padId() {
        return 0;
    }

    @Override
    public void close() {}
}
