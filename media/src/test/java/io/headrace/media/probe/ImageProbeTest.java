package io.headrace.media.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.media.probe.Pictures.Expected;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ImageProbeTest {

    static List<Expected> good() {
        return Pictures.good();
    }

    @ParameterizedTest
    @MethodSource("good")
    void sizeAndOrientationAreThoseOfTheReference(Expected expected) throws Exception {
        ImageHeader header = ImageProbe.probe(ByteView.of(Pictures.bytes(expected.file())));
        assertThat(header.width()).isEqualTo(expected.storedWidth());
        assertThat(header.height()).isEqualTo(expected.storedHeight());
        assertThat(header.uprightWidth()).isEqualTo(expected.uprightWidth());
        assertThat(header.uprightHeight()).isEqualTo(expected.uprightHeight());
        assertThat(header.orientation().exif()).isEqualTo(expected.orientation());
    }

    @Test
    void codecComesFromTheBytes() throws Exception {
        assertThat(codec("pillow/frozenpond.mpo")).isEqualTo(Codec.JPEG);
        assertThat(codec("pillow/hopper.avif")).isEqualTo(Codec.AVIF);
        assertThat(codec("pillow/hopper.bmp")).isEqualTo(Codec.BMP);
        assertThat(codec("pillow/hopper.png")).isEqualTo(Codec.PNG);
        assertThat(codec("pillow/hopper.tif")).isEqualTo(Codec.TIFF);
        assertThat(codec("pillow/hopper.webp")).isEqualTo(Codec.WEBP);
        assertThat(codec("pillow/decompression_bomb.gif")).isEqualTo(Codec.GIF);
    }

    @Test
    void aBombIsKnownByItsPixels() throws Exception {
        ImageHeader header =
                ImageProbe.probe(ByteView.of(Pictures.bytes("pillow/decompression_bomb.gif")));
        assertThat(header.pixels()).isEqualTo(4_364_696_535L);
    }

    @Test
    void whatIsNoPictureIsRefused() {
        assertThat(refused(new byte[0]).reason()).isEqualTo(Reason.EMPTY);
        assertThat(refused(Pictures.bytes("pillow/LICENSE")))
                .hasMessageContaining("54 68 65 20")
                .extracting(BadPayload::reason)
                .isEqualTo(Reason.UNSUPPORTED);
    }

    @Test
    void aCutHeaderNamesTheOffset() {
        byte[] cut = Arrays.copyOf(Pictures.bytes("pillow/hopper.jpg"), 100);
        BadPayload error = refused(cut);
        assertThat(error.reason()).isEqualTo(Reason.TRUNCATED);
        assertThat(error.offsetBytes()).isEqualTo(100);
    }

    @Test
    void bigSegmentsAreSkippedAndNotRead() throws Exception {
        byte[] jpeg = Pictures.bytes("pillow/hopper.jpg");
        ByteArrayOutputStream large = new ByteArrayOutputStream();
        large.write(jpeg, 0, 2);
        for (int i = 0; i < 300; i++) {
            large.write(new byte[] {(byte) 0xFF, (byte) 0xE2, (byte) 0xFF, (byte) 0xFF});
            large.write(new byte[0xFFFD]);
        }
        large.write(jpeg, 2, jpeg.length - 2);
        CountingView view = new CountingView(ByteView.of(large.toByteArray()));
        ImageHeader header = ImageProbe.probe(view);
        assertThat(header.width()).isEqualTo(128);
        assertThat(view.readBytes).isLessThan(302L * 4096);
    }

    @Test
    void pixelsAreNotRead() throws Exception {
        CountingView view = new CountingView(ByteView.of(Pictures.bytes("exif/photos/jolla.jpg")));
        assertThat(ImageProbe.probe(view).width()).isEqualTo(3264);
        assertThat(view.readBytes).isLessThan(64 << 10);
    }

    @Test
    void endlessJunkIsRefused() {
        byte[] junk = new byte[4 << 20];
        junk[0] = (byte) 0xFF;
        junk[1] = (byte) 0xD8;
        junk[2] = (byte) 0xFF;
        assertThat(refused(junk).reason()).isEqualTo(Reason.CORRUPT);
    }

    @Test
    void pngTurnsByExifChunkByTextAndByXmp() throws Exception {
        byte[] exif = exif(6);
        assertThat(png("eXIf", exif)).isEqualTo(Orientation.ROTATED_90);
        String hex = java.util.HexFormat.of().formatHex(exif);
        String raw = "Raw profile type exif\0\nexif\n      %d\n%s\n".formatted(exif.length, hex);
        assertThat(png("tEXt", raw.getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(Orientation.ROTATED_90);
        String xmp = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"8\"/>";
        assertThat(png("iTXt", xmp.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Orientation.ROTATED_270);
        assertThat(png("eXIf", exif(9))).isEqualTo(Orientation.UPRIGHT);
        assertThat(png("eXIf", new byte[] {'M', 'M', 0})).isEqualTo(Orientation.UPRIGHT);
    }

    private static Orientation png(String type, byte[] content) throws Exception {
        byte[] png = Pictures.bytes("pillow/hopper.png");
        ByteBuffer with = ByteBuffer.allocate(png.length + content.length + 12);
        with.put(png, 0, 33).putInt(content.length);
        with.put(type.getBytes(StandardCharsets.US_ASCII)).put(content).putInt(0);
        with.put(png, 33, png.length - 33);
        return ImageProbe.probe(ByteView.of(with.array())).orientation();
    }

    private static byte[] exif(int orientation) {
        return ByteBuffer.allocate(26)
                .put(new byte[] {'M', 'M', 0, '*'})
                .putInt(8)
                .putShort((short) 1)
                .putShort((short) 0x0112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .array();
    }

    private static Codec codec(String file) throws Exception {
        return ImageProbe.probe(ByteView.of(Pictures.bytes(file))).codec();
    }

    private static BadPayload refused(byte[] payload) {
        return assertThatExceptionOfType(BadPayload.class)
                .isThrownBy(() -> ImageProbe.probe(ByteView.of(payload)))
                .actual();
    }

    /** Counts what a probe reads. */
    private static final class CountingView implements ByteView {
        private final ByteView view;
        private long readBytes;

        CountingView(ByteView view) {
            this.view = view;
        }

        @Override
        public long lengthBytes() {
            return view.lengthBytes();
        }

        @Override
        public int read(long offsetBytes, byte[] target, int length) throws IOException {
            int count = view.read(offsetBytes, target, length);
            readBytes += count;
            return count;
        }
    }
}
