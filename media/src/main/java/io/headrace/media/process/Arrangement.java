package io.headrace.media.process;

import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Window;

/** Where each level of a resized picture goes in the tensor. Bands are planes of levels, as {@link Resizer#rows} makes them. */
sealed interface Arrangement permits PlanarArrangement, RasterPatches, MergedPatches {

    /** The part of the resized picture that the tensor holds. */
    Window window(ImageLayout layout);

    /** Rows of a band; the picture's height is a multiple of it, except where rows do not depend on each other. */
    int bandRows();

    /**
     * Writes a band.
     *
     * @param row first row of the band in the window
     * @param rows how many rows it has
     * @param out address of the picture's tensor
     */
    void write(long band, int row, int rows, Window window, long out);
}
