package io.headrace.media.process;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;
import io.headrace.media.resize.Filter;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Scratch;
import io.headrace.media.resize.Window;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Resize, normalise and arrange, band by band. Not thread-safe; allocates nothing while the sizes of pictures repeat. */
final class ResizingProcessor implements ImageProcessor {
    private final LayoutRule rule;
    private final Resizer resizer;
    private final Arrangement arrangement;
    private final Elements elements;
    private final Normalisation normalisation;
    private final Scratch band = new Scratch();

    private Window window = Window.whole(1, 1);
    private ImageLayout windowLayout = new ImageLayout(1, 1, 0, 0, 0, 0, 0, 0);

    ResizingProcessor(
            LayoutRule rule,
            Filter filter,
            Arrangement arrangement,
            Elements elements,
            Normalisation normalisation) {
        this.rule = rule;
        this.resizer = new Resizer(filter);
        this.arrangement = arrangement;
        this.elements = elements;
        this.normalisation = normalisation;
    }

    /** Sizes of the output from the size of the picture. */
    @FunctionalInterface
    interface LayoutRule {
        ImageLayout layout(int width, int height) throws BadPayload;
    }

    @Override
    public ImageLayout layout(int width, int height) throws BadPayload {
        return rule.layout(width, height);
    }

    @Override
    public void process(Picture picture, ImageLayout layout, MemorySegment out) {
        if (!out.isNative() || out.byteSize() != layout.elements() * elements.bytes()) {
            throw new IllegalArgumentException(
                    "Output needs %d bytes of native memory, has %d"
                            .formatted(layout.elements() * elements.bytes(), out.byteSize()));
        }
        try {
            fill(picture, layout, out.address());
        } finally {
            Reference.reachabilityFence(picture);
            Reference.reachabilityFence(out);
            Reference.reachabilityFence(this);
        }
    }

    private void fill(Picture picture, ImageLayout layout, long out) {
        if (!layout.equals(windowLayout)) {
            window = arrangement.window(layout);
            windowLayout = layout;
        }
        int bandRows = arrangement.bandRows();
        long levels = band.address(3L * bandRows * Resizer.stride(window.columns()));
        resizer.begin(picture, window, bandRows);
        for (int row = 0; row < window.rows(); row += bandRows) {
            int rows = Math.min(bandRows, window.rows() - row);
            resizer.rows(row, rows, levels);
            arrangement.write(levels, row, rows, window, out);
        }
    }

    @Override
    public float[][] table() {
        return normalisation.table();
    }
}
