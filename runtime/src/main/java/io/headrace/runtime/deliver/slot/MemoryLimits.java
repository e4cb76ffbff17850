package io.headrace.runtime.deliver.slot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** How much memory this process can still get, by the machine and by its control group. */
final class MemoryLimits {
    private static final long UNLIMITED_BYTES = Long.MAX_VALUE / 2;

    private MemoryLimits() {}

    /** The smaller of the machine's available memory and of what the control group has left. */
    static long freeBytes() {
        return Math.min(available(Path.of("/proc/meminfo")), groupFree(Path.of("/sys/fs/cgroup")));
    }

    /** {@code MemAvailable} of a file in the format of {@code /proc/meminfo}. */
    static long available(Path meminfo) {
        for (String line : lines(meminfo)) {
            if (line.startsWith("MemAvailable:")) {
                String kibibytes = line.replaceAll("[^0-9]", "");
                return Long.parseLong(kibibytes) * 1024;
            }
        }
        return UNLIMITED_BYTES;
    }

    /** What a control group mounted here, version 2 or 1, has left. */
    static long groupFree(Path group) {
        long free = free(group.resolve("memory.max"), group.resolve("memory.current"));
        Path memory = group.resolve("memory");
        return Math.min(
                free,
                free(
                        memory.resolve("memory.limit_in_bytes"),
                        memory.resolve("memory.usage_in_bytes")));
    }

    private static long free(Path limit, Path used) {
        OptionalLong limitBytes = number(limit);
        OptionalLong usedBytes = number(used);
        return limitBytes.isEmpty() || usedBytes.isEmpty()
                ? UNLIMITED_BYTES
                : Math.max(0, limitBytes.getAsLong() - usedBytes.getAsLong());
    }

    private static OptionalLong number(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() || !lines.getFirst().matches("[0-9]{1,18}")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(lines.getFirst()));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
