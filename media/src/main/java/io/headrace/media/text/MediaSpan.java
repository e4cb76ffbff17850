package io.headrace.media.text;

/** The positions of one picture, video or audio in a sample's ids, from {@code startToken} on. */
public record MediaSpan(int startToken, MediaSize size) {

    /** First position behind it. */
    public int endToken() {
        return startToken + size.tokens();
    }
}
