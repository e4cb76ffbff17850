package io.headrace.media.process;

import io.headrace.engine.recipe.ProcessSpec.Wire;

/**
 * Writes levels as elements of the tensor. In and out are addresses; a level is one byte, an element {@link #bytes} bytes. Nothing outside
 * of the elements asked for is written.
 */
public sealed interface Elements permits FloatElements, BfloatElements, LevelElements {

    /** The elements of a wire format. */
    static Elements of(Wire wire, Normalisation normalisation) {
        return switch (wire) {
            case FLOAT32 -> new FloatElements(normalisation);
            case BFLOAT16 -> new BfloatElements(normalisation);
            case UINT8 -> new LevelElements();
        };
    }

    /** Size of one element. */
    int bytes();

    /**
     * Writes a square of {@code side} lines of {@code side} levels of one channel without gaps, and the same square once more
     * {@code copyBytes} behind it; 0: once.
     */
    void square(int channel, long in, long stride, int side, long out, long copyBytes);

    /** Writes {@code count} levels of one channel and nothing else. */
    void run(int channel, long in, int count, long out);

    /** Writes {@code count} pixels, channels innermost, from three planes of levels. */
    void pixels(long in, long plane, int count, long out);
}
