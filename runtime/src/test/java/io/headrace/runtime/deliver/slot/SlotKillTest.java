package io.headrace.runtime.deliver.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.unit.Dtype;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of slots after kill -9 of the process that made them. */
@Timeout(120)
class SlotKillTest {
    private static final long SLOT_BYTES = 8 << 20;

    @TempDir Path folder;

    /** Holds slots until it is killed; prints the path of the last. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            SlotSettings settings =
                    new SlotSettings(
                            "killed", Backing.valueOf(args[0]), Path.of(args[1]), 8 * SLOT_BYTES);
            SlotPool pool = SlotPool.open(settings);
            SlotLayout layout =
                    SlotLayout.of(
                            List.of(List.of(TensorSpec.of("x", Dtype.UINT8, SLOT_BYTES - 4096))));
            for (int i = 0; i < 4; i++) {
                Slot slot = pool.tryBegin(layout, 0, i).orElseThrow();
                slot.commit();
                System.out.println(slot.path());
            }
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private Process hold(Backing backing) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        backing.name(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static Path awaitReady(Process process) throws IOException {
        BufferedReader out = process.inputReader();
        String last = "";
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals("ready")) {
                return Path.of(last);
            }
            last = line;
        }
        throw new IOException("The holder ended after \"" + last + "\"");
    }

    private static long sharedBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("Shmem:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .sum();
    }

    @Test
    void nothingIsLeftOfNamelessMemory() throws Exception {
        Process holder = hold(Backing.MEMORY);
        Path slot = awaitReady(holder);
        assertThat(Files.size(slot)).isGreaterThanOrEqualTo(SLOT_BYTES - 4096);
        assertThat(folder).isEmptyDirectory();
        assertThat(sharedBytes()).isGreaterThan(3 * SLOT_BYTES);
        holder.destroyForcibly().waitFor();
        assertThat(slot).doesNotExist();
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(Backing.class)
    void theNextStartOfTheSameJobNeedsNoCleaning(Backing backing) throws Exception {
        for (int round = 0; round < 3; round++) {
            Process holder = hold(backing);
            Path slot = awaitReady(holder);
            holder.destroyForcibly().waitFor();
            assertThat(Files.exists(slot)).isEqualTo(backing == Backing.FILES);
        }
        SlotSettings settings = new SlotSettings("killed", backing, folder, 8 * SLOT_BYTES);
        try (SlotPool pool = SlotPool.open(settings)) {
            assertThat(pool.slotsInUse()).isZero();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.toList()).isEmpty();
        }
    }
}
