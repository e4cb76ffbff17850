package io.headrace.media.process.video;

/** Where each level of a resized frame goes in the video's tensor. Bands are planes of levels, as the resizer makes them. */
sealed interface FrameArrangement permits TemporalPatches, PlanarFrames {

    /** Rows of a band; the window's height is a multiple of it, except where rows do not depend on each other. */
    int bandRows();

    /**
     * Writes a band.
     *
     * @param k which of the layout's frames it is from
     * @param row first row of the band in the window
     * @param rows how many rows it has
     * @param out address of the video's tensor
     */
    void write(VideoLayout layout, int k, long band, int row, int rows, long out);
}
