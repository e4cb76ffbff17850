package io.headrace.media.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.probe.Pictures;
import io.headrace.media.probe.Pictures.Expected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JpegDecodeTest {
    private static final DecodeOptions EXACT = DecodeOptions.exact(Alpha.WHITE, 100_000_000);

    private final ImageDecoder decoder = new ImageDecoder();

    static List<Expected> jpegs() {
        return Pictures.good().stream()
                .filter(expected -> expected.file().matches(".*\\.(jpg|mpo)"))
                .toList();
    }

    @AfterEach
    void close() {
        decoder.close();
    }

    @ParameterizedTest
    @MethodSource("jpegs")
    void equalsTheReferenceBitForBit(Expected expected) throws Exception {
        Picture picture = decode(Pictures.bytes(expected.file()), EXACT);
        assertThat(picture.width()).isEqualTo(expected.uprightWidth());
        assertThat(picture.height()).isEqualTo(expected.uprightHeight());
        assertThat(crc32(picture)).isEqualTo(expected.rgbCrc32());
    }

    @ParameterizedTest
    @MethodSource("jpegs")
    void staysAsStoredWhereOrientationIsNotApplied(Expected expected) throws Exception {
        DecodeOptions stored = new DecodeOptions(false, Alpha.DROP, 100_000_000, 0, 0);
        Picture picture = decode(Pictures.bytes(expected.file()), stored);
        assertThat(picture.width()).isEqualTo(expected.storedWidth());
        assertThat(crc32(picture)).isEqualTo(expected.storedRgbCrc32());
    }

    @Test
    void nativeBytesAreDecodedInPlace() throws Exception {
        byte[] jpeg = Pictures.bytes("pillow/hopper.jpg");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = arena.allocateFrom(ValueLayout.JAVA_BYTE, jpeg);
            assertThat(crc32(decoder.decode(encoded, EXACT))).isEqualTo(2586390078L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pillow/hopper.jpg", "exif/landscape_6.jpg", "pillow/junk_jpeg_header.jpg"})
    void aCutJpegIsAnErrorWhereverItIsCut(String file) {
        byte[] jpeg = Pictures.bytes(file);
        for (int percent : new int[] {50, 75, 90, 99}) {
            byte[] cut = Arrays.copyOf(jpeg, (int) ((long) jpeg.length * percent / 100));
            assertThat(refused(cut).reason()).as("%d%%", percent).isEqualTo(Reason.TRUNCATED);
        }
        byte[] withoutEnd = Arrays.copyOf(jpeg, jpeg.length - 1);
        assertThat(refused(withoutEnd).reason()).isEqualTo(Reason.TRUNCATED);
    }

    @Test
    void theTruncatedFileIsAnError() {
        BadPayload error = refused(Pictures.bytes("pillow/truncated_jpeg.jpg"));
        assertThat(error.reason()).isEqualTo(Reason.TRUNCATED);
    }

    @Test
    void tooManyPixelsAreRefusedWithBothNumbers() {
        DecodeOptions few = DecodeOptions.exact(Alpha.WHITE, 10_000);
        assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> decode(Pictures.bytes("pillow/hopper.jpg"), few))
                .withMessageContaining("16384 pixels")
                .withMessageContaining("10000")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_PIXELS));
    }

    @Test
    void aReducedJpegStaysAtOrAboveTheWishedUprightSize() throws Exception {
        byte[] sideways = Pictures.bytes("exif/photos/canon_hdr_YES.jpg");
        assertThat(size(sideways, 1536, 2048)).containsExactly(1536, 2048);
        assertThat(size(sideways, 768, 1024)).containsExactly(768, 1024);
        assertThat(size(sideways, 769, 1)).containsExactly(1536, 2048);
        assertThat(size(sideways, 300, 300)).containsExactly(384, 512);
        assertThat(size(sideways, 1, 1)).containsExactly(192, 256);
        assertThat(size(sideways, 0, 0)).containsExactly(1536, 2048);
    }

    @Test
    void aFastPictureKeepsHalfAsManyPixelsMoreThanItsResizeWants() throws Exception {
        byte[] sideways = Pictures.bytes("exif/photos/canon_hdr_YES.jpg");
        assertThat(fast(sideways, 512, 682)).containsExactly(768, 1024);
        assertThat(fast(sideways, 513, 683)).containsExactly(1536, 2048);
        assertThat(fast(sideways, 224, 298)).containsExactly(384, 512);
    }

    private int[] fast(byte[] jpeg, int width, int height) throws BadPayload {
        Picture picture = decode(jpeg, EXACT.fast(width, height));
        return new int[] {picture.width(), picture.height()};
    }

    private int[] size(byte[] jpeg, int width, int height) throws BadPayload {
        Picture picture = decode(jpeg, EXACT.atLeast(width, height));
        return new int[] {picture.width(), picture.height()};
    }

    private Picture decode(byte[] jpeg, DecodeOptions options) throws BadPayload {
        return decoder.decode(MemorySegment.ofArray(jpeg), options);
    }

    private BadPayload refused(byte[] jpeg) {
        return assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> decode(jpeg, EXACT))
                .actual();
    }

    static long crc32(Picture picture) {
        CRC32 crc = new CRC32();
        crc.update(picture.rgb().asByteBuffer());
        return crc.getValue();
    }
}
