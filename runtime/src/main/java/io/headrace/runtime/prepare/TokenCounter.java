package io.headrace.runtime.prepare;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.Part;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.text.MediaStyle;
import io.headrace.media.text.PromptEncoder;
import io.headrace.media.text.prompt.Prompt;
import io.headrace.media.text.prompt.PromptReader;
import io.headrace.media.text.token.HuggingFaceTokenizer;
import io.headrace.media.text.token.TokenEstimate;
import io.headrace.media.text.token.Tokenizer;
import io.headrace.sources.stores.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Counts the tokens of texts: by the recipe's tokenizer and template, or by their bytes where there is none. Thread-safe. */
final class TokenCounter implements AutoCloseable {

    private final @Nullable Tokenizer tokenizer;
    private final @Nullable PromptEncoder encoder;
    private final String fingerprint;

    private TokenCounter(
            @Nullable Tokenizer tokenizer, @Nullable PromptEncoder encoder, String fingerprint) {
        this.tokenizer = tokenizer;
        this.encoder = encoder;
        this.fingerprint = fingerprint;
    }

    static TokenCounter of(@Nullable ProcessSpec process) throws IOException {
        Path file = process == null ? null : process.text().tokenizer();
        if (process == null || file == null) {
            return new TokenCounter(null, null, "estimate");
        }
        Tokenizer tokenizer = HuggingFaceTokenizer.open(file);
        MediaStyle style = MediaStyle.of(process.model());
        FileStamp stamp = FileStamp.of(file);
        String fingerprint =
                "%s %d %d %s %s"
                        .formatted(
                                file,
                                stamp.sizeBytes(),
                                stamp.modifiedNanos(),
                                process.text().template(),
                                style);
        try {
            return new TokenCounter(
                    tokenizer,
                    PromptEncoder.of(process.text().template(), style, tokenizer),
                    fingerprint);
        } catch (RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    /** Changes whenever counts may. */
    String fingerprint() {
        return fingerprint;
    }

    boolean exact() {
        return encoder != null;
    }

    /** Reads a text so far that it can be counted; a payload that is none is refused now. */
    Prompt read(String field, byte[] payload, Codec codec) throws BadPayload {
        int selector = field.indexOf(Part.Text.SELECTOR);
        return PromptReader.read(payload, codec, selector < 0 ? "" : field.substring(selector + 1));
    }

    int count(Prompt prompt, MediaCounts media, long payloadBytes) throws BadPayload {
        return encoder == null ? TokenEstimate.ofBytes(payloadBytes) : encoder.count(prompt, media);
    }

    @Override
    public void close() {
        if (tokenizer != null) {
            tokenizer.close();
        }
    }
}
