package io.headrace.media.process.video;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.decode.Picture;
import io.headrace.media.process.Elements;
import io.headrace.media.process.Normalisation;
import io.headrace.media.resize.Filter;
import io.headrace.media.resize.Resizer;
import io.headrace.media.resize.Scratch;
import io.headrace.media.resize.Window;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Resize, normalise and arrange a frame, band by band. Not thread-safe; allocates nothing while the sizes of frames repeat. */
final class ResizingVideoProcessor implements VideoProcessor {
    private final LayoutRule rule;
    private final Resizer resizer;
    private final FrameArrangement arrangement;
    private final Elements elements;
    private final Normalisation normalisation;
    private final Scratch band = new Scratch();

    ResizingVideoProcessor(
            LayoutRule rule,
            Filter filter,
            FrameArrangement arrangement,
            Elements elements,
            Normalisation normalisation) {
        this.rule = rule;
        this.resizer = new Resizer(filter);
        this.arrangement = arrangement;
        this.elements = elements;
        this.normalisation = normalisation;
    }

    @Override
    public VideoLayout layout(VideoFacts facts) throws BadPayload {
        return rule.layout(facts);
    }

    @Override
    public void process(VideoLayout layout, int k, Picture frame, MemorySegment out) {
        if (k < 0 || k >= layout.frames().count()) {
            throw new IndexOutOfBoundsException(
                    "Frame %d of %d".formatted(k, layout.frames().count()));
        }
        if (!out.isNative() || out.byteSize() != layout.elements() * elements.bytes()) {
            throw new IllegalArgumentException(
                    "Output needs %d bytes of native memory, has %d"
                            .formatted(layout.elements() * elements.bytes(), out.byteSize()));
        }
        try {
            fill(layout, k, frame, out.address());
        } finally {
            Reference.reachabilityFence(frame);
            Reference.reachabilityFence(out);
            Reference.reachabilityFence(this);
        }
    }

    private void fill(VideoLayout layout, int k, Picture frame, long out) {
        Window window = layout.window();
        int bandRows = arrangement.bandRows();
        long levels = band.address(3L * bandRows * Resizer.stride(window.columns()));
        resizer.begin(frame, window, bandRows);
        for (int row = 0; row < window.rows(); row += bandRows) {
            int rows = Math.min(bandRows, window.rows() - row);
            resizer.rows(row, rows, levels);
            arrangement.write(layout, k, levels, row, rows, out);
        }
    }

    @Override
    public float[][] table() {
        return normalisation.table();
    }
}
