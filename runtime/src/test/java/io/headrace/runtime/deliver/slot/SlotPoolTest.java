package io.headrace.runtime.deliver.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.engine.unit.Dtype;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SlotPoolTest {
    private static final long MIB = 1 << 20;

    @TempDir Path folder;

    private static SlotLayout layout(long bytes) {
        return SlotLayout.of(List.of(List.of(TensorSpec.of("x", Dtype.UINT8, bytes - 128))));
    }

    private SlotPool pool(Backing backing, long limitBytes) {
        return SlotPool.open(new SlotSettings("job", backing, folder, limitBytes));
    }

    private static Slot begin(SlotPool pool, long bytes, int rank, long step) {
        return pool.tryBegin(layout(bytes), rank, step).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Backing.class)
    void aSlotIsWrittenCommittedReadAndUsedAgain(Backing backing) throws IOException {
        try (SlotPool pool = pool(backing, 4 * MIB)) {
            Slot first = begin(pool, MIB, 0, 0);
            first.tensor(0, "x").fill((byte) 7);
            assertThat(first.lease()).isEmpty();
            first.commit();
            Lease lease = first.lease().orElseThrow();
            byte[] seen = Files.readAllBytes(first.path());
            assertThat(seen).hasSize((int) first.capacityBytes());
            assertThat(seen[(int) first.layout().bytes() - 1]).isEqualTo((byte) 7);
            assertThat(Files.getAttribute(first.path(), "unix:ino")).isEqualTo(first.inode());
            first.retire();
            assertThat(first.state()).isEqualTo(Slot.State.RETIRED);
            assertThat(lease.memory().get(ValueLayout.JAVA_BYTE, lease.memory().byteSize() - 1))
                    .isEqualTo((byte) 7);
            assertThat(lease.release()).isTrue();
            assertThat(lease.release()).isFalse();
            assertThat(first.state()).isEqualTo(Slot.State.FREED);
            Slot second = begin(pool, MIB, 0, 1);
            assertThat(second.regionId()).isEqualTo(first.regionId());
            second.abort();
            assertThat(pool.slotsInUse()).isZero();
        }
    }

    @Test
    void slotsAreUsedInOrderOnly() {
        try (SlotPool pool = pool(Backing.MEMORY, 4 * MIB)) {
            Slot slot = begin(pool, MIB, 3, 9);
            slot.commit();
            assertThatThrownBy(slot::commit)
                    .hasMessage("Slot of rank 3 step 9 is READY, not WRITING");
            assertThatThrownBy(slot::abort).isInstanceOf(IllegalStateException.class);
            slot.retire();
            slot.retire();
            assertThat(slot.lease()).isEmpty();
            assertThat(pool.slotsFree()).isEqualTo(1);
        }
    }

    @Test
    void memoryStaysWithinTheLimitAndAWaitNamesWhoHoldsIt() {
        try (SlotPool pool = pool(Backing.MEMORY, 2 * MIB)) {
            Slot first = begin(pool, MIB, 0, 4);
            Slot second = begin(pool, MIB, 1, 4);
            assertThat(pool.tryBegin(layout(MIB), 0, 5)).isEmpty();
            first.commit();
            first.lease();
            assertThatThrownBy(() -> pool.begin(layout(MIB), 0, 5, Duration.ofMillis(20)))
                    .isInstanceOf(SlotException.class)
                    .hasMessageContaining("rank 0 step 5")
                    .hasMessageContaining("2,097,152 of 2,097,152 bytes")
                    .hasMessageContaining("rank 0 step 4 (READY, 1 leases)")
                    .hasMessageContaining("rank 1 step 4 (WRITING, 0 leases)");
            assertThat(pool.reservedBytes()).isEqualTo(2 * MIB);
            second.abort();
        }
    }

    @Test
    void aWaitEndsWhenASlotComesBack() throws Exception {
        try (SlotPool pool = pool(Backing.MEMORY, MIB);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Slot held = begin(pool, MIB, 0, 0);
            Future<Slot> waiting =
                    threads.submit(() -> pool.begin(layout(MIB), 0, 1, Duration.ofSeconds(30)));
            held.abort();
            assertThat(waiting.get().step()).isEqualTo(1);
        }
    }

    @Test
    void whatCanNeverFitIsRefusedWithBothNumbers() {
        try (SlotPool pool = pool(Backing.MEMORY, MIB)) {
            assertThatThrownBy(() -> pool.tryBegin(layout(3 * MIB), 0, 0))
                    .hasMessage(
                            "A slot needs 3,145,728 bytes, the limit of all slots is 1,048,576 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource(Backing.class)
    void moreThanTheMachineHasIsAnErrorAndNeverABusError(Backing backing) {
        try (SlotPool pool = pool(backing, 1L << 50)) {
            assertThatThrownBy(() -> pool.tryBegin(layout(1L << 46), 0, 0))
                    .isInstanceOf(SlotException.class)
                    .hasMessageContaining("70,368,744,177,664 bytes")
                    .hasMessageContaining("bytes are free");
            assertThat(pool.reservedBytes()).isZero();
            begin(pool, MIB, 0, 0).abort();
        }
    }

    @Test
    void varyingLengthsKeepTheNumberOfRegionsFlat() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (SlotPool pool = pool(Backing.MEMORY, 64 * MIB)) {
            List<Slot> held = new ArrayList<>();
            for (int step = 0; step < 2000; step++) {
                long bytes = MIB + random.nextInt((int) (2 * MIB));
                Slot slot = begin(pool, bytes, step % 4, step);
                slot.commit();
                held.add(slot);
                if (held.size() == 8) {
                    held.removeFirst().retire();
                }
                assertThat(pool.slotsFree() + pool.slotsInUse())
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(8);
            }
            assertThat(pool.reservedBytes())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(8 * 3 * MIB + MIB);
        }
    }

    @Test
    void manyWritersAndReadersNeverSeeEachOthersBytes() throws Exception {
        try (SlotPool pool = pool(Backing.MEMORY, 6 * MIB);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int rank = 0; rank < 8; rank++) {
                int r = rank;
                all.add(
                        threads.submit(
                                () -> {
                                    for (int step = 0; step < 200; step++) {
                                        writeAndRead(pool, r, step);
                                    }
                                    return r;
                                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(pool.slotsInUse()).isZero();
        }
    }

    private static void writeAndRead(SlotPool pool, int rank, int step)
            throws InterruptedException {
        Slot slot = pool.begin(layout(MIB), rank, step, Duration.ofSeconds(30));
        byte mark = (byte) (rank * 31 + step);
        slot.tensor(0, "x").fill(mark);
        slot.commit();
        try (Lease lease = slot.lease().orElseThrow()) {
            slot.retire();
            long last = lease.memory().byteSize() - 1;
            for (long at = 128; at <= last; at += 4096) {
                assertThat(lease.memory().get(ValueLayout.JAVA_BYTE, at)).isEqualTo(mark);
            }
        }
    }

    @Test
    void freedMemoryReadsAsZerosAndIsNeverABusError() throws IOException {
        MappedByteBuffer view;
        try (SlotPool pool = pool(Backing.MEMORY, 4 * MIB)) {
            Slot slot = begin(pool, MIB, 0, 0);
            slot.tensor(0, "x").fill((byte) 9);
            slot.commit();
            try (FileChannel reader = FileChannel.open(slot.path())) {
                view = reader.map(FileChannel.MapMode.READ_ONLY, 0, MIB);
            }
            assertThat(view.get(4096)).isEqualTo((byte) 9);
        }
        assertThat(view.get(4096)).isZero();
    }

    @Test
    void filesAreTheirUsersAloneAndGoWithThePool() throws IOException {
        try (SlotPool pool = pool(Backing.FILES, 4 * MIB)) {
            Slot slot = begin(pool, MIB, 0, 0);
            assertThat(mode(slot.path())).isEqualTo("rw-------");
            assertThat(mode(folder.resolve(slot.path().getName(slot.path().getNameCount() - 2))))
                    .isEqualTo("rwx------");
            slot.commit();
        }
        assertThat(folder).isEmptyDirectory();
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void twoJobsDoNotMeetAndOneJobIsServedOnce() throws IOException {
        try (SlotPool first = pool(Backing.FILES, 4 * MIB);
                SlotPool second =
                        SlotPool.open(new SlotSettings("other", Backing.FILES, folder, 4 * MIB))) {
            Slot one = begin(first, MIB, 0, 0);
            Slot two = begin(second, MIB, 0, 0);
            one.tensor(0, "x").fill((byte) 1);
            two.tensor(0, "x").fill((byte) 2);
            assertThat(one.path()).isNotEqualTo(two.path());
            assertThat(Files.readAllBytes(one.path())[4096]).isEqualTo((byte) 1);
            assertThatThrownBy(() -> pool(Backing.FILES, MIB))
                    .hasMessageContaining("belongs to another engine that is alive");
            assertThat(one.path()).exists();
            one.abort();
            two.abort();
        }
    }

    @Test
    void aFolderOpenToOthersIsRefused() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path job = Files.createDirectory(folder.resolve("headrace-" + user + "-job"));
        int owner = Posix.openFile(job.resolve("owner").toString());
        assertThat(Posix.lock(owner)).isZero();
        Files.setPosixFilePermissions(job, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> pool(Backing.FILES, MIB))
                .hasMessageContaining(job.toString())
                .hasMessageContaining("mode rwxrwxrwx");
        Posix.close(owner);
    }

    @Test
    void withoutSharedMemoryFilesGoToTheTemporaryFolder() {
        Path missing = folder.resolve("shm");
        SlotSettings settings = new SlotSettings("nowhere", Backing.FILES, missing, 4 * MIB);
        try (SlotPool pool = SlotPool.open(settings)) {
            Slot slot = begin(pool, MIB, 0, 0);
            assertThat(slot.path()).startsWith(Path.of(System.getProperty("java.io.tmpdir")));
            slot.abort();
        }
    }

    @Test
    void slotsOfADeadEngineAreRemovedByTheNextStartOfAnyJob() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path dead = Files.createDirectory(folder.resolve("headrace-" + user + "-dead"));
        Files.writeString(dead.resolve("owner"), "");
        Files.writeString(dead.resolve("slot-1"), "left");
        Files.createDirectory(folder.resolve("headrace-" + user + "-half-made"));
        Path foreign = Files.createDirectory(folder.resolve("somebody"));
        try (SlotPool pool = pool(Backing.FILES, 4 * MIB)) {
            begin(pool, MIB, 0, 0).abort();
            try (Stream<Path> left = Files.list(folder)) {
                assertThat(left.map(p -> p.getFileName().toString()).toList())
                        .containsExactlyInAnyOrder("headrace-" + user + "-job", "somebody");
            }
        }
        assertThat(foreign).exists();
    }
}
