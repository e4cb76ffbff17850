package io.headrace.engine.cost;

/**
 * What a sample costs is a function of these, all known before anything is decoded.
 *
 * @param tokens positions in the backbone's sequence, text and image together
 * @param patches positions in the vision encoder's sequence
 * @param pixels pixels to decode
 * @param payloadBytes encoded bytes to read
 */
public record Features(int tokens, int patches, long pixels, long payloadBytes) {
    public static final Features NONE = new Features(0, 0, 0, 0);

    public Features plus(Features other) {
        return new Features(
                tokens + other.tokens,
                patches + other.patches,
                pixels + other.pixels,
                payloadBytes + other.payloadBytes);
    }
}
