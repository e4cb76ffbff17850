package io.headrace.runtime.deliver.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitsTest {
    private static final long NO_LIMIT_BYTES = 1L << 60;

    @TempDir Path folder;

    @Test
    void theMachineSaysWhatIsAvailable() throws IOException {
        Path meminfo = folder.resolve("meminfo");
        Files.writeString(meminfo, "MemTotal:  1000 kB\nMemAvailable:     600 kB\n");
        assertThat(MemoryLimits.available(meminfo)).isEqualTo(600 * 1024);
        assertThat(MemoryLimits.available(folder.resolve("none"))).isGreaterThan(NO_LIMIT_BYTES);
    }

    @Test
    void aGroupOfVersionTwoLeavesItsLimitLessItsUse() throws IOException {
        Files.writeString(folder.resolve("memory.max"), "10000\n");
        Files.writeString(folder.resolve("memory.current"), "4000\n");
        assertThat(MemoryLimits.groupFree(folder)).isEqualTo(6000);
        Files.writeString(folder.resolve("memory.current"), "14000\n");
        assertThat(MemoryLimits.groupFree(folder)).isZero();
        Files.writeString(folder.resolve("memory.max"), "max\n");
        assertThat(MemoryLimits.groupFree(folder)).isGreaterThan(NO_LIMIT_BYTES);
    }

    @Test
    void aGroupOfVersionOneCountsAsWell() throws IOException {
        Path memory = Files.createDirectory(folder.resolve("memory"));
        Files.writeString(memory.resolve("memory.limit_in_bytes"), "500");
        Files.writeString(memory.resolve("memory.usage_in_bytes"), "200");
        assertThat(MemoryLimits.groupFree(folder)).isEqualTo(300);
    }

    @Test
    void thisMachineHasSome() {
        assertThat(MemoryLimits.freeBytes()).isPositive().isLessThan(NO_LIMIT_BYTES);
    }
}
