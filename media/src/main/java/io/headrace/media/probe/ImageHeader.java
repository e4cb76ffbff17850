package io.headrace.media.probe;

import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;

/**
 * What the first bytes of a picture tell. {@code width} and {@code height} are stored pixels; a TIFF is reported upright, since every
 * reader turns it. {@code channels} are those of the file: 1 grey or palette, 2 grey and alpha, 3 colour, 4 colour and alpha or CMYK.
 */
public record ImageHeader(
        Codec codec, int width, int height, Orientation orientation, int channels) {

    /** Width once the orientation is applied. */
    public int uprightWidth() {
        return orientation.swapsSides() ? height : width;
    }

    /** Height once the orientation is applied. */
    public int uprightHeight() {
        return orientation.swapsSides() ? width : height;
    }

    public long pixels() {
        return (long) width * height;
    }
}
