package io.headrace.media.text.row;

import io.headrace.media.text.EncodedText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Writes the text tensors of one row or pack straight into its slot, every element of them. Thread-safe: it holds no state.
 *
 * <p>Behind and between samples: the pad id, labels -100, positions 0, segment 0. The first token of each sample has label -100 too,
 * since the loss would predict it from the sample before.
 */
public final class RowWriter {

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int lengthTokens;
    private final int padId;

    /**
     * @param lengthTokens length of the row
     * @param padId id that fills it
     */
    public RowWriter(int lengthTokens, int padId) {
        this.lengthTokens = lengthTokens;
        this.padId = padId;
    }

    /**
     * Where one row goes; each segment starts at the row's first element.
     *
     * @param inputIds int64 {@code [length]}
     * @param labels int64 {@code [length]}
     * @param positionIds int64 {@code [length]}: one plane for positions that count up, three for time, height and width
     * @param segmentIds int32 {@code [length]}: 1, 2 and so on for the samples, 0 for padding; not 0 is the attention mask
     */
    public record Row(
            MemorySegment inputIds,
            MemorySegment labels,
            List<MemorySegment> positionIds,
            MemorySegment segmentIds) {
        public Row {
            positionIds = List.copyOf(positionIds);
            if (positionIds.size() != 1 && positionIds.size() != 3) {
                throw new IllegalArgumentException(positionIds.size() + " position planes");
            }
        }
    }

    /** A sample and its first position in the row. */
    public record Placed(EncodedText text, int offsetTokens) {}

    /**
     * Writes a whole row.
     *
     * @param samples sorted by offset, without overlap
     * @throws IllegalArgumentException if a sample does not lie in the row or overlaps the one before
     */
    public void write(Row row, List<Placed> samples) {
        int free = 0;
        for (int i = 0; i < samples.size(); i++) {
            Placed placed = samples.get(i);
            int end = placed.offsetTokens() + placed.text().lengthTokens();
            if (placed.offsetTokens() < free || end > lengthTokens) {
                throw new IllegalArgumentException(
                        "Sample %d at %d to %d, free from %d to %d"
                                .formatted(i, placed.offsetTokens(), end, free, lengthTokens));
            }
            fill(row, free, placed.offsetTokens());
            put(row, placed, i + 1);
            free = end;
        }
        fill(row, free, lengthTokens);
    }

    private void fill(Row row, int from, int to) {
        for (int i = from; i < to; i++) {
            row.inputIds.setAtIndex(Positions.LONG, i, padId);
            row.labels.setAtIndex(Positions.LONG, i, EncodedText.UNTRAINED);
            row.segmentIds.setAtIndex(INT, i, 0);
        }
        for (MemorySegment plane : row.positionIds) {
            plane.asSlice(8L * from, 8L * (to - from)).fill((byte) 0);
        }
    }

    private static void put(Row row, Placed placed, int segment) {
        EncodedText text = placed.text();
        int offset = placed.offsetTokens();
        for (int i = 0; i < text.lengthTokens(); i++) {
            long label = i == 0 ? EncodedText.UNTRAINED : text.label(i);
            row.inputIds.setAtIndex(Positions.LONG, offset + i, text.id(i));
            row.labels.setAtIndex(Positions.LONG, offset + i, label);
            row.segmentIds.setAtIndex(INT, offset + i, segment);
        }
        if (row.positionIds.size() == 3) {
            Positions.mrope(text, row.positionIds, offset);
        } else {
            Positions.sequential(text.lengthTokens(), row.positionIds.getFirst(), offset);
        }
    }
}
