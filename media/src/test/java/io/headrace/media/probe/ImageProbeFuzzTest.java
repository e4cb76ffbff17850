package io.headrace.media.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.media.probe.Pictures.Expected;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mutated real files: a probe gives a size or a {@link BadPayload}, and reads a bounded number of bytes. */
class ImageProbeFuzzTest {
    private static final int MUTANTS = 40_000;

    @Test
    void mutantsGiveAHeaderOrAnError() throws Exception {
        long seed = System.nanoTime();
        System.out.println("ImageProbeFuzzTest seed " + seed);
        Random random = new Random(seed);
        List<byte[]> files =
                Pictures.all().stream().map(Expected::file).map(Pictures::bytes).toList();
        int headers = 0;
        ImageProbe probe = new ImageProbe();
        for (int i = 0; i < MUTANTS; i++) {
            byte[] file = files.get(random.nextInt(files.size()));
            byte[] mutant = mutate(file, random);
            try {
                ImageHeader header = probe.header(ByteView.of(mutant));
                assertThat(header.pixels()).as("seed %d, mutant %d", seed, i).isPositive();
                headers++;
            } catch (BadPayload expected) {
                assertThat(expected.offsetBytes()).isBetween(-1L, Long.MAX_VALUE);
            }
        }
        assertThat(headers).isGreaterThan(MUTANTS / 10);
    }

    /** Changes bytes among the first few hundred, where headers lie, and sometimes cuts. */
    public static byte[] mutate(byte[] file, Random random) {
        int keep = random.nextInt(4) == 0 ? random.nextInt(file.length + 1) : file.length;
        byte[] mutant = Arrays.copyOf(file, Math.min(keep, 1 << 16));
        int reach = Math.min(mutant.length, random.nextBoolean() ? 64 : 1024);
        for (int change = random.nextInt(6); change > 0 && reach > 0; change--) {
            byte value =
                    (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(2) * 255);
            mutant[random.nextInt(reach)] = value;
        }
        return mutant;
    }
}
