package io.headrace.media.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The pictures of the tests, and what the reference makes of each. */
public final class Pictures {
    private Pictures() {}

    /** What the reference gives for a file: sizes and sums, or its error. */
    public record Expected(
            String file,
            String mode,
            int storedWidth,
            int storedHeight,
            int uprightWidth,
            int uprightHeight,
            int orientation,
            long rgbCrc32,
            long storedRgbCrc32,
            long whiteCrc32,
            String error) {
        @Override
        public String toString() {
            return file;
        }
    }

    /** The bytes of a file such as {@code pillow/hopper.jpg}. */
    public static byte[] bytes(String file) {
        try (InputStream stream = Pictures.class.getResourceAsStream("/pictures/" + file)) {
            if (stream == null) {
                throw new IllegalArgumentException("No picture " + file);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every file with its expected result. */
    public static List<Expected> all() {
        return Stream.of("decode.tsv", "made/decode.tsv")
                .flatMap(table -> new String(bytes(table), StandardCharsets.UTF_8).lines())
                .filter(line -> !line.startsWith("#"))
                .map(Pictures::parse)
                .toList();
    }

    /** The files that the reference decodes. */
    public static List<Expected> good() {
        return all().stream().filter(expected -> expected.error().isEmpty()).toList();
    }

    private static Expected parse(String line) {
        String[] field = line.split("\t", -1);
        if (field[1].equals("error")) {
            return new Expected(field[0], "", 0, 0, 0, 0, 0, 0, 0, 0, field[2]);
        }
        return new Expected(
                field[0],
                field[1],
                Integer.parseInt(field[2]),
                Integer.parseInt(field[3]),
                Integer.parseInt(field[4]),
                Integer.parseInt(field[5]),
                Integer.parseInt(field[6]),
                Long.parseLong(field[7]),
                Long.parseLong(field[8]),
                Long.parseLong(field[9]),
                "");
    }
}
