package io.headrace.media.video.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.Videos;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cut and mutated real files: the reader gives samples or a {@link BadPayload}, in bounded time and memory. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MovieFuzzTest {
    private static final int MUTANTS = 20_000;

    /** Tables of the greatest number of samples while they grow, their frames, and the header. */
    private static final long MOST_ALLOCATED = 512L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final List<String> FILES =
            Videos.files().stream()
                    .filter(file -> file.endsWith(".mp4") || file.endsWith(".mov"))
                    .toList();

    @Test
    void filesCutAnywhereGiveSamplesOrAnError() throws Exception {
        int whole = 0;
        for (String file : FILES) {
            byte[] bytes = Videos.bytes(file);
            for (int part = 0; part <= 50; part++) {
                byte[] cut = Arrays.copyOf(bytes, (int) ((long) bytes.length * part / 50));
                whole += samples(cut) > 0 ? 1 : 0;
            }
        }
        assertThat(whole).isGreaterThanOrEqualTo(FILES.size());
    }

    @Test
    void mutantsGiveSamplesOrAnError() throws Exception {
        long seed = System.nanoTime();
        System.out.println("MovieFuzzTest seed " + seed);
        Random random = new Random(seed);
        List<byte[]> files = FILES.stream().map(Videos::bytes).toList();
        List<int[]> headers = files.stream().map(MovieFuzzTest::headers).toList();
        int good = 0;
        for (int i = 0; i < MUTANTS; i++) {
            int file = random.nextInt(files.size());
            byte[] mutant = files.get(file).clone();
            int[] places = headers.get(file);
            for (int change = 1 + random.nextInt(4); change > 0; change--) {
                int place = places[random.nextInt(places.length)];
                mutant[place] =
                        (byte)
                                (random.nextBoolean()
                                        ? random.nextInt(256)
                                        : mutant[place] ^ 1 << random.nextInt(8));
            }
            try {
                good += samples(mutant) >= 0 ? 1 : 0;
            } catch (RuntimeException e) {
                throw new AssertionError("seed %d, mutant %d".formatted(seed, i), e);
            }
        }
        assertThat(good).isGreaterThan(MUTANTS / 10);
    }

    /** Number of samples; -1 if refused. */
    private static long samples(byte[] file) throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            return Movies.samples(ByteView.of(file));
        } catch (BadPayload expected) {
            assertThat(expected.getMessage()).isNotEmpty();
            assertThat(expected.offsetBytes()).isGreaterThanOrEqualTo(-1);
            return -1;
        } finally {
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                    .isLessThan(MOST_ALLOCATED);
        }
    }

    /** Every place within moov and moof boxes, and the heads of all others. */
    private static int[] headers(byte[] file) {
        List<Integer> places = new ArrayList<>();
        ByteView view = ByteView.of(file);
        byte[] head = new byte[8];
        for (int at = 0; at + 8 <= file.length; ) {
            try {
                view.read(at, head, 8);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            int size = java.nio.ByteBuffer.wrap(head).getInt();
            String type = Boxes.type(head);
            int reach = type.equals("moov") || type.equals("moof") ? size : 8;
            for (int i = 0; i < reach; i++) {
                places.add(at + i);
            }
            at += size;
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }
}
