package io.headrace.media.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.probe.Pictures;
import io.headrace.media.probe.Pictures.Expected;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every picture that the reference decodes: the same bits upright on white, upright without alpha, and as stored. */
class ReferenceTest {
    private static final long MOST_PIXELS = 100_000_000;

    /** Kinds of TIFF that are refused; see docs/decoding.md. */
    private static final List<String> UNSUPPORTED =
            Stream.of(
                            "YCbCr-raw",
                            "YCbCr-lzw",
                            "YCbCr-deflate",
                            "YCbCr-packbits",
                            "jpeg",
                            "group3",
                            "group4",
                            "zstd")
                    .map(name -> "made/" + name + ".tif")
                    .toList();

    private static final ImageDecoder DECODER = new ImageDecoder();

    static List<Expected> exact() {
        return Pictures.good().stream().filter(e -> !UNSUPPORTED.contains(e.file())).toList();
    }

    @AfterAll
    static void close() {
        DECODER.close();
    }

    @ParameterizedTest
    @MethodSource("exact")
    void uprightOnWhite(Expected expected) throws Exception {
        Picture picture = decode(expected, DecodeOptions.exact(Alpha.WHITE, MOST_PIXELS));
        assertThat(picture.width()).isEqualTo(expected.uprightWidth());
        assertThat(picture.height()).isEqualTo(expected.uprightHeight());
        assertThat(crc32(picture)).isEqualTo(expected.whiteCrc32());
    }

    @ParameterizedTest
    @MethodSource("exact")
    void uprightWithoutAlpha(Expected expected) throws Exception {
        Picture picture = decode(expected, DecodeOptions.exact(Alpha.DROP, MOST_PIXELS));
        assertThat(crc32(picture)).isEqualTo(expected.rgbCrc32());
    }

    @ParameterizedTest
    @MethodSource("exact")
    void asStored(Expected expected) throws Exception {
        Picture picture = decode(expected, new DecodeOptions(false, Alpha.DROP, MOST_PIXELS, 0, 0));
        assertThat(picture.width()).isEqualTo(expected.storedWidth());
        assertThat(picture.height()).isEqualTo(expected.storedHeight());
        assertThat(crc32(picture)).isEqualTo(expected.storedRgbCrc32());
    }

    static List<Expected> bad() {
        return Pictures.all().stream()
                .filter(e -> !e.error().isEmpty() || UNSUPPORTED.contains(e.file()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void whatTheReferenceRefusesIsAnErrorThatSaysWhy(Expected expected) {
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> decode(expected, DecodeOptions.exact(Alpha.WHITE, MOST_PIXELS)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason(expected.file())));
    }

    private static Reason reason(String file) {
        return switch (file) {
            case "pillow/truncated_jpeg.jpg", "made/rle8.bmp" -> Reason.TRUNCATED;
            case "pillow/decompression_bomb.gif" -> Reason.TOO_MANY_PIXELS;
            case "pillow/broken.png",
                    "pillow/broken_data_stream.png",
                    "pillow/crash-86214e58da443d2b80820cff9677a38a33dcbbca.tif" ->
                    Reason.CORRUPT;
            default -> Reason.UNSUPPORTED;
        };
    }

    private static Picture decode(Expected expected, DecodeOptions options) throws Exception {
        return DECODER.decode(MemorySegment.ofArray(Pictures.bytes(expected.file())), options);
    }

    static long crc32(Picture picture) {
        CRC32 crc = new CRC32();
        crc.update(picture.rgb().asByteBuffer());
        return crc.getValue();
    }
}
