package io.headrace.runtime.construct;

import static io.headrace.runtime.construct.shape.TensorNames.*;

import io.headrace.media.text.row.RowWriter;
import io.headrace.runtime.construct.shape.StepShape;
import io.headrace.runtime.construct.shape.StepTensors;
import io.headrace.runtime.deliver.slot.Slot;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the text tensors of one row into its slot. Tensors that the batch does not have go to scratch memory, which belongs to this
 * object: one a decode thread.
 */
final class RowTensors {

    private final StepTensors tensors;
    private final int padId;
    private MemorySegment scratch = MemorySegment.NULL;

    RowTensors(StepTensors tensors, int padId) {
        this.tensors = tensors;
        this.padId = padId;
    }

    /** Writes a row, every element of it. */
    void write(
            StepShape.Microbatch shape,
            Slot slot,
            int microbatch,
            int row,
            List<RowWriter.Placed> samples) {
        int length = shape.lengthTokens();
        MemorySegment segments =
                tensors.packed()
                        ? row(slot, microbatch, SEGMENT_IDS, row, length * 4L)
                        : scratch(0, length * 4L);
        MemorySegment labels =
                tensors.hasLabels()
                        ? row(slot, microbatch, LABELS, row, length * 8L)
                        : scratch(length * 4L, length * 8L);
        RowWriter.Row target =
                new RowWriter.Row(
                        row(slot, microbatch, INPUT_IDS, row, length * 8L),
                        labels,
                        planes(shape, slot, microbatch, row),
                        segments);
        new RowWriter(length, padId).write(target, samples);
        if (!tensors.packed()) {
            MemorySegment mask = row(slot, microbatch, ATTENTION_MASK, row, length * 8L);
            for (int i = 0; i < length; i++) {
                boolean token = segments.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i) != 0;
                mask.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, token ? 1 : 0);
            }
        }
    }

    private List<MemorySegment> planes(
            StepShape.Microbatch shape, Slot slot, int microbatch, int row) {
        long bytes = shape.lengthTokens() * 8L;
        if (tensors.positionPlanes() == 0) {
            return List.of(scratch(shape.lengthTokens() * 12L, bytes));
        }
        List<MemorySegment> planes = new ArrayList<>();
        for (int plane = 0; plane < tensors.positionPlanes(); plane++) {
            planes.add(row(slot, microbatch, POSITION_IDS, plane * shape.rows() + row, bytes));
        }
        return planes;
    }

    private static MemorySegment row(Slot slot, int microbatch, String name, int row, long bytes) {
        return slot.tensor(microbatch, name).asSlice(row * bytes, bytes);
    }

    private MemorySegment scratch(long offset, long bytes) {
        if (scratch.byteSize() < offset + bytes) {
            scratch = Arena.ofAuto().allocate(2 * (offset + bytes), 8);
        }
        return scratch.asSlice(offset, bytes);
    }
}
