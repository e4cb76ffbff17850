package io.headrace.media.text;

/** The positions of one picture in a sample's ids, from {@code startToken} on. */
public record PictureSpan(int startToken, PictureSize size) {

    /** First position behind the picture. */
    public int endToken() {
        return startToken + size.tokens();
    }
}
