package io.headrace.media.process;

/**
 * Writes levels as elements of the tensor. In and out are addresses; a level is one byte, an element {@link #bytes} bytes. Nothing outside
 * of the elements asked for is written.
 */
sealed interface Elements permits FloatElements, BfloatElements, LevelElements {

    /** Size of one element. */
    int bytes();

    /**
     * Writes a square of {@code side} lines of {@code side} levels of one channel without gaps, and the same square once more right after
     * it.
     */
    void twice(int channel, long in, long stride, int side, long out);

    /** Writes {@code count} levels of one channel and nothing else. */
    void run(int channel, long in, int count, long out);

    /** Writes {@code count} pixels, channels innermost, from three planes of levels. */
    void pixels(long in, long plane, int count, long out);
}
