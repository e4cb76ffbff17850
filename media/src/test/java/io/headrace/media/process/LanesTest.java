package io.headrace.media.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors have the same bits on vectors of every length. */
class LanesTest {

    /** {@code UseAVX} is a limit: a machine without AVX2 runs both cases on the vectors that it has. */
    @ParameterizedTest
    @CsvSource({"2, 8", "1, 4"})
    void shorterVectorsGiveTheSameBits(int avx, int mostLanes) throws Exception {
        String[] lines = child("-XX:UseAVX=" + avx);
        assertThat(Integer.parseInt(lines[0].substring("lanes ".length())))
                .isLessThanOrEqualTo(mostLanes);
        assertThat(lines[1]).isEqualTo(LanesCheck.checksums());
    }

    @Test
    void interpretedKernelsGiveTheSameBits() throws Exception {
        assertThat(child("-XX:TieredStopAtLevel=1")[1]).isEqualTo(LanesCheck.checksums());
    }

    private static String[] child(String flag) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+IgnoreUnrecognizedVMOptions",
                                flag,
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-modules",
                                "jdk.incubator.vector",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LanesCheck.class.getName())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s", out).isZero();
        return out.lines().filter(line -> !line.contains("WARNING")).toArray(String[]::new);
    }
}
