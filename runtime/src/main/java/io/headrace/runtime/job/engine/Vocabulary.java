package io.headrace.runtime.job.engine;

import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.Recipe;
import io.headrace.media.text.MediaStyle;
import io.headrace.media.text.PromptEncoder;
import io.headrace.media.text.token.HuggingFaceTokenizer;
import io.headrace.media.text.token.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The tokenizer of a recipe and what encodes prompts with it; both null where the recipe has none.
 *
 * @param tokenizer closed with this
 */
public record Vocabulary(@Nullable Tokenizer tokenizer, @Nullable PromptEncoder prompts)
        implements AutoCloseable {

    /**
     * Opens the recipe's tokenizer.
     *
     * @throws IOException if it cannot be read or lacks a token that the model needs
     */
    public static Vocabulary open(Recipe recipe) throws IOException {
        ProcessSpec.TextSpec text = recipe.process().text();
        Path file = text.tokenizer();
        if (file == null) {
            return new Vocabulary(null, null);
        }
        Tokenizer tokenizer = HuggingFaceTokenizer.open(file);
        try {
            MediaStyle style = MediaStyle.of(recipe.process().model());
            return new Vocabulary(tokenizer, PromptEncoder.of(text.template(), style, tokenizer));
        } catch (IllegalArgumentException e) {
            tokenizer.close();
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (tokenizer != null) {
            tokenizer.close();
        }
    }
}
