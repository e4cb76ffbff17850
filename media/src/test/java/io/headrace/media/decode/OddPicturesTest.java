package io.headrace.media.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.media.probe.Pictures;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd but legal pictures, and those that must be refused. */
class OddPicturesTest {
    private static final DecodeOptions OPTIONS = DecodeOptions.exact(Alpha.WHITE, 178_956_970);

    private final ImageDecoder decoder = new ImageDecoder();

    @AfterEach
    void close() {
        decoder.close();
    }

    @Test
    void orientedLandscapesShowOnePicture() throws Exception {
        byte[] first = decoded("exif/landscape_2.jpg", 600, 450);
        for (int i = 3; i <= 8; i++) {
            assertThat(difference(first, decoded("exif/landscape_" + i + ".jpg", 600, 450)))
                    .as("landscape_%d", i)
                    .isLessThan(5);
        }
    }

    @Test
    void orientedHoppersShowOnePicture() throws Exception {
        byte[] first = decoded("pillow/hopper.jpg", 128, 128);
        for (int i : new int[] {2, 3, 4, 6, 8}) {
            byte[] other = decoded("pillow/hopper_orientation_%d.jpg".formatted(i), 128, 128);
            assertThat(difference(first, other)).as("orientation %d", i).isLessThan(7);
        }
    }

    @Test
    void inksShowTheColoursOfTheirTwin() throws Exception {
        byte[] inks = decoded("pillow/pil_sample_cmyk.jpg", 100, 100);
        assertThat(difference(inks, decoded("pillow/pil_sample_rgb.jpg", 100, 100))).isLessThan(5);
    }

    @Test
    void aHugeOneBitPngIsRefusedByItsHeader() {
        byte[] head =
                ByteBuffer.allocate(45)
                        .put(Pictures.bytes("pillow/hopper.png"), 0, 16)
                        .putInt(65_000)
                        .putInt(65_000)
                        .put(new byte[] {1, 0, 0, 0, 0})
                        .array();
        CRC32 crc = new CRC32();
        crc.update(head, 12, 17);
        ByteBuffer.wrap(head).putInt(29, (int) crc.getValue());
        assertThat(refused(head))
                .hasMessageContaining("4225000000 pixels")
                .hasMessageContaining("178956970")
                .extracting(BadPayload::reason)
                .isEqualTo(Reason.TOO_MANY_PIXELS);
    }

    @Test
    void theBombIsRefusedByItsPixels() {
        assertThat(refused(Pictures.bytes("pillow/decompression_bomb.gif")))
                .hasMessageContaining("4364696535 pixels");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pillow/hopper.png",
                "made/c2b08i.png",
                "made/lossy.webp",
                "made/lossless.webp",
                "made/lossy-alpha.webp",
                "made/plain.gif",
                "made/interlaced.gif",
                "made/RGB.bmp",
                "made/RGB-lzw.tif",
                "made/RGB-raw.tif",
                "made/L-packbits.tif",
                "made/plain.avif"
            })
    void halfAFileIsNeverHalfAPicture(String file) {
        byte[] whole = Pictures.bytes(file);
        for (int percent : new int[] {10, 30, 50, 70, 90}) {
            byte[] cut = Arrays.copyOf(whole, whole.length * percent / 100);
            assertThat(refused(cut).reason())
                    .as("%d%% of %s", percent, file)
                    .isIn(Reason.TRUNCATED, Reason.CORRUPT);
        }
    }

    @Test
    void aChangedByteInThePixelsOfAPngIsAnError() {
        byte[] png = Pictures.bytes("pillow/hopper.png");
        png[png.length / 2] ^= 1;
        assertThat(refused(png).reason()).isEqualTo(Reason.CORRUPT);
    }

    @Test
    void memoryIsReusedFromPictureToPicture() throws Exception {
        MemorySegment large = decode(Pictures.bytes("exif/photos/no_exif.jpg")).rgb();
        MemorySegment small = decode(Pictures.bytes("pillow/hopper.jpg")).rgb();
        assertThat(small.address()).isEqualTo(large.address());
        assertThat(large.address() % 64).isZero();
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void turningEqualsTheDefinition(Orientation orientation) {
        int width = 71;
        int height = 37;
        boolean swaps = orientation.swapsSides();
        int outWidth = swaps ? height : width;
        int outHeight = swaps ? width : height;
        byte[] stored = new byte[3 * width * height + 64];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (byte) (i * 31 + i / 97);
        }
        byte[] turned = new byte[stored.length];
        Upright.turn(
                MemorySegment.ofArray(stored),
                3 * width,
                width,
                height,
                orientation,
                MemorySegment.ofArray(turned));
        for (int y = 0; y < outHeight; y++) {
            for (int x = 0; x < outWidth; x++) {
                int[] from = source(orientation, x, y, width, height);
                for (int c = 0; c < 3; c++) {
                    assertThat(turned[3 * (y * outWidth + x) + c])
                            .isEqualTo(stored[3 * (from[1] * width + from[0]) + c]);
                }
            }
        }
    }

    /** The stored pixel that shows at (x, y), by the EXIF standard's names of rows and columns. */
    private static int[] source(Orientation orientation, int x, int y, int width, int height) {
        return switch (orientation) {
            case UPRIGHT -> new int[] {x, y};
            case MIRRORED -> new int[] {width - 1 - x, y};
            case ROTATED_180 -> new int[] {width - 1 - x, height - 1 - y};
            case FLIPPED -> new int[] {x, height - 1 - y};
            case TRANSPOSED -> new int[] {y, x};
            case ROTATED_90 -> new int[] {y, height - 1 - x};
            case TRANSVERSED -> new int[] {width - 1 - y, height - 1 - x};
            case ROTATED_270 -> new int[] {width - 1 - y, x};
        };
    }

    @Test
    void everyFormatIsReportedWithItsLibrary() {
        assertThat(NativeLibraries.report())
                .hasSize(7)
                .allMatch(NativeLibraries.Service::bitEqual)
                .anyMatch(service -> service.library().contains("turbojpeg"));
    }

    private Picture decode(byte[] encoded) throws BadPayload {
        return decoder.decode(MemorySegment.ofArray(encoded), OPTIONS);
    }

    private byte[] decoded(String file, int width, int height) throws BadPayload {
        Picture picture = decode(Pictures.bytes(file));
        assertThat(picture.width()).isEqualTo(width);
        assertThat(picture.height()).isEqualTo(height);
        return picture.rgb().toArray(ValueLayout.JAVA_BYTE);
    }

    private BadPayload refused(byte[] encoded) {
        return assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> decode(encoded))
                .actual();
    }

    private static double difference(byte[] one, byte[] other) {
        assertThat(one).hasSameSizeAs(other);
        long sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += Math.abs((one[i] & 0xFF) - (other[i] & 0xFF));
        }
        return (double) sum / one.length;
    }
}
