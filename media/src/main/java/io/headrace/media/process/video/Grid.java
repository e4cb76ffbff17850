package io.headrace.media.process.video;

/** Patches, or positions of a latent, in time, down and across; all 0 where a model has none. */
public record Grid(int times, int height, int width) {
    public static final Grid NONE = new Grid(0, 0, 0);

    public int positions() {
        return Math.multiplyExact(Math.multiplyExact(times, height), width);
    }
}
