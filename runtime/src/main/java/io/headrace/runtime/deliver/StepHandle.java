package io.headrace.runtime.deliver;

import io.headrace.runtime.deliver.slot.Lease;
import io.headrace.runtime.deliver.slot.Slot;
import io.headrace.runtime.deliver.slot.SlotLayout;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tells a rank where its step lies in shared memory.
 *
 * @param path where the memory is opened
 * @param region names the memory: a mapping of the same region may be kept
 * @param inode file number of the memory, to be compared with the opened file's
 * @param capacityBytes length to map
 * @param microbatches first byte and length of each safetensors buffer
 */
record StepHandle(
        int rank,
        long step,
        long lease,
        String path,
        long region,
        long inode,
        long capacityBytes,
        List<List<Long>> microbatches) {

    static StepHandle of(Lease lease) {
        Slot slot = lease.slot();
        return new StepHandle(
                slot.rank(),
                slot.step(),
                lease.id(),
                slot.path().toString(),
                slot.regionId(),
                slot.inode(),
                slot.capacityBytes(),
                ranges(slot.layout()));
    }

    private static List<List<Long>> ranges(SlotLayout layout) {
        return layout.microbatches().stream()
                .map(m -> List.of(m.offsetBytes(), m.bytes()))
                .toList();
    }

    /** The ranges as a header: {@code 0+1234,1280+99}. */
    static String header(SlotLayout layout) {
        return layout.microbatches().stream()
                .map(m -> m.offsetBytes() + "+" + m.bytes())
                .collect(Collectors.joining(","));
    }
}
