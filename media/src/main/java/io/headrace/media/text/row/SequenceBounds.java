package io.headrace.media.text.row;

import java.util.List;
import java.util.TreeSet;

/** The {@code cu_seqlens} of a microbatch: where its sequences end when its rows are laid end to end. */
public final class SequenceBounds {

    private SequenceBounds() {}

    /** The planned place of a sample. */
    public record Extent(int row, int offsetTokens, int lengthTokens) {}

    /**
     * Bounds in rising order, from 0 to {@code rows * rowTokens}. Padding is a sequence of its own, and no sequence spans two rows. They
     * follow from the plan alone, so their number is known before anything is decoded.
     */
    public static int[] of(int rows, int rowTokens, List<Extent> samples) {
        TreeSet<Integer> bounds = new TreeSet<>();
        for (int row = 0; row <= rows; row++) {
            bounds.add(Math.multiplyExact(row, rowTokens));
        }
        for (Extent sample : samples) {
            int start = sample.row * rowTokens + sample.offsetTokens;
            bounds.add(start);
            bounds.add(start + sample.lengthTokens);
        }
        return bounds.stream().mapToInt(Integer::intValue).toArray();
    }
}
