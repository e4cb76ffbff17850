/** Decoders in Java of the formats that are stored without loss: PNG, GIF, BMP, TIFF. Each gives the bits of Pillow's {@code convert("RGB")}. */
@NullMarked
package io.headrace.media.decode.raster;

import org.jspecify.annotations.NullMarked;
