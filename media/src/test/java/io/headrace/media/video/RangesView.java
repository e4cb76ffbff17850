package io.headrace.media.video;

import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Remembers which ranges were read. */
public final class RangesView implements ByteView {
    private final ByteView view;
    private final List<Range> ranges = new ArrayList<>();

    public RangesView(ByteView view) {
        this.view = view;
    }

    /** Bytes from {@code from} up to {@code end}. */
    public record Range(long from, long end) {}

    public List<Range> ranges() {
        return ranges;
    }

    public long readBytes() {
        return ranges.stream().mapToLong(range -> range.end() - range.from()).sum();
    }

    @Override
    public long lengthBytes() {
        return view.lengthBytes();
    }

    @Override
    public int read(long offsetBytes, byte[] target, int length) throws IOException {
        int count = view.read(offsetBytes, target, length);
        ranges.add(new Range(offsetBytes, offsetBytes + count));
        return count;
    }
}
