package io.headrace.media.process.video;

import io.headrace.media.process.Elements;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Window;

/** Planes of whole frames: {@code [frames, 3, height, width]}, or {@code [3, frames, height, width]} with channels first. */
record PlanarFrames(Elements elements, boolean channelsFirst) implements FrameArrangement {
    private static final int BAND_ROWS = 16;

    @Override
    public int bandRows() {
        return BAND_ROWS;
    }

    @Override
    public void write(VideoLayout layout, int k, long band, int row, int rows, long out) {
        Window window = layout.window();
        int columns = window.columns();
        long stride = Resizer.stride(columns);
        long line = (long) columns * elements.bytes();
        long plane = line * window.rows();
        long channelPlane = channelsFirst ? plane * layout.frames().count() : plane;
        long frame = out + k * (channelsFirst ? plane : 3 * plane);
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < rows; y++) {
                long in = band + (c * (long) rows + y) * stride;
                elements.run(c, in, columns, frame + c * channelPlane + (row + y) * line);
            }
        }
    }
}
