package io.headrace.runtime.deliver.slot;

import java.nio.file.Path;

/**
 * What the slots of one job may use.
 *
 * @param job letters, digits, {@code _} and {@code -}: names the job on this host
 * @param folder parent of the job's folder, for {@link Backing#FILES}
 * @param limitBytes the most bytes that all slots of the job may hold together, free ones included
 */
public record SlotSettings(String job, Backing backing, Path folder, long limitBytes) {
    /** Where files go unless told otherwise. */
    public static final Path SHARED_MEMORY_FOLDER = Path.of("/dev/shm");

    public SlotSettings {
        if (!job.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new IllegalArgumentException("Not a job id: \"" + job + "\"");
        }
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("Slots limited to " + limitBytes + " bytes");
        }
    }

    /** Nameless memory, limited to half of what is free now. */
    public static SlotSettings defaults(String job) {
        long half = Math.max(1L << 20, MemoryLimits.freeBytes() / 2);
        return new SlotSettings(job, Backing.MEMORY, SHARED_MEMORY_FOLDER, half);
    }

    public SlotSettings withLimitBytes(long bytes) {
        return new SlotSettings(job, backing, folder, bytes);
    }
}
