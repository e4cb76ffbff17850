package io.headrace.media.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.probe.Pictures;
import io.headrace.media.probe.Pictures.Expected;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutated real files of each format: a decoder gives a whole picture or a {@link BadPayload}, and the process lives. */
class ImageDecoderFuzzTest {
    private static final int MUTANTS = 400;
    private static final int MOST_FILE_BYTES = 60_000;

    @ParameterizedTest
    @ValueSource(strings = {"jpg", "png", "webp", "gif", "bmp", "tif", "avif"})
    void mutantsGiveAPictureOrAnError(String suffix) {
        long seed = System.nanoTime();
        System.out.println("ImageDecoderFuzzTest " + suffix + " seed " + seed);
        Random random = new Random(seed);
        List<byte[]> files =
                Pictures.good().stream()
                        .map(Expected::file)
                        .filter(file -> file.endsWith("." + suffix))
                        .map(Pictures::bytes)
                        .filter(bytes -> bytes.length < MOST_FILE_BYTES)
                        .toList();
        int pictures = 0;
        int errors = 0;
        try (ImageDecoder decoder = new ImageDecoder()) {
            for (int i = 0; i < MUTANTS; i++) {
                byte[] mutant = mutate(files.get(random.nextInt(files.size())), random);
                Alpha alpha = random.nextBoolean() ? Alpha.WHITE : Alpha.DROP;
                try {
                    Picture picture =
                            decoder.decode(
                                    MemorySegment.ofArray(mutant),
                                    DecodeOptions.exact(alpha, 1_000_000));
                    assertThat(picture.rgb().byteSize())
                            .isEqualTo(3L * picture.width() * picture.height());
                    pictures++;
                } catch (BadPayload expected) {
                    assertThat(expected.getMessage()).isNotEmpty();
                    errors++;
                }
            }
        }
        assertThat(errors).as("seed %d", seed).isPositive();
        assertThat(pictures + errors).isEqualTo(MUTANTS);
    }

    private static byte[] mutate(byte[] file, Random random) {
        boolean cuts = random.nextInt(4) == 0;
        byte[] mutant = Arrays.copyOf(file, cuts ? random.nextInt(file.length + 1) : file.length);
        int reach = random.nextBoolean() ? Math.min(mutant.length, 400) : mutant.length;
        for (int change = random.nextInt(5); change >= 0 && reach > 0; change--) {
            mutant[random.nextInt(reach)] = (byte) random.nextInt(256);
        }
        return mutant;
    }
}
