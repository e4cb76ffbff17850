package io.headrace.media.process;

/**
 * Writes levels as elements of the tensor. In and out are addresses; a level is one byte, an element {@link #bytes} bytes. Input lines may
 * be read past their end by less than one vector.
 */
sealed interface Elements permits FloatElements, BfloatElements, LevelElements {

    /** Size of one element. */
    int bytes();

    /**
     * Writes {@code lines} lines of {@code width} levels of one channel without gaps between them. Up to a vector of elements after the
     * last one is overwritten too.
     */
    void block(int channel, long in, long stride, int lines, int width, long out);

    /** Writes {@code count} levels of one channel and nothing else. */
    void run(int channel, long in, int count, long out);

    /** Writes {@code count} pixels, channels innermost, from three planes of levels. */
    void pixels(long in, long plane, int count, long out);
}
