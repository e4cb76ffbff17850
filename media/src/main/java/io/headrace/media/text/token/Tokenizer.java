package io.headrace.media.text.token;

import java.util.OptionalInt;

/** Turns text into the ids of one vocabulary. Implementations may be called from many threads at once. */
public interface Tokenizer extends AutoCloseable {

    /**
     * Ids of a text, neither cut nor padded. Special tokens written out in the text become their ids.
     *
     * @param withSpecialTokens whether the vocabulary's own start and end tokens are put around it
     */
    int[] ids(String text, boolean withSpecialTokens);

    /** The id that fills a row behind its last sample. */
    int padId();

    /** The id of a token, if the vocabulary has it as a single one. */
    default OptionalInt id(String token) {
        int[] ids = ids(token, false);
        return ids.length == 1 ? OptionalInt.of(ids[0]) : OptionalInt.empty();
    }

    /** Frees the vocabulary; calls that run are waited for, later ones fail. */
    @Override
    void close();
}
