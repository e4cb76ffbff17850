package io.headrace.media.video.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Headers that writers seldom make, and headers that lie. */
class OddMoviesTest {

    @Test
    void theSmallMovieIsRead() throws Exception {
        SampleTable samples = Movies.only(Boxes.movie(box -> box));
        assertThat(samples.size()).isEqualTo(3);
        assertThat(samples.offsetBytes(2)).isEqualTo(130);
        assertThat(samples.lengthBytes(2)).isEqualTo(30);
        assertThat(samples.decodeTicks(2)).isEqualTo(400);
        assertThat(samples.keys()).isEqualTo(3);
        assertThat(samples.keyAtOrBefore(2)).isEqualTo(2);
        assertThat(samples.keyAfter(2)).isEqualTo(3);
    }

    @Test
    void offsetsMayHave64Bits() throws Exception {
        byte[] co64 = Boxes.full("co64", 0, 2, 1, 5, 0, 200);
        byte[] file =
                Boxes.movie(
                        box ->
                                switch (Boxes.type(box)) {
                                    case "stco" -> co64;
                                    case "stsc" -> Boxes.full("stsc", 0, 2, 1, 1, 1, 2, 2, 1);
                                    default -> box;
                                });
        SampleTable samples = Movies.only(file);
        assertThat(samples.offsetBytes(0)).isEqualTo((1L << 32) + 5);
        assertThat(samples.offsetBytes(2)).isEqualTo(220);
    }

    @Test
    void sizesMayHave4And8And16Bits() throws Exception {
        assertThat(sizes(4, 0xA2, 0x30)).containsExactly(10, 2, 3);
        assertThat(sizes(8, 10, 20, 30)).containsExactly(10, 20, 30);
        assertThat(sizes(16, 1, 0, 0, 20, 0, 30)).containsExactly(256, 20, 30);
    }

    private static int[] sizes(int bits, int... content) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(content.length);
        for (int one : content) {
            bytes.put((byte) one);
        }
        byte[] stz2 = Boxes.box("stz2", Boxes.ints(0, bits, 3), bytes.array());
        SampleTable samples =
                Movies.only(Boxes.movie(box -> Boxes.type(box).equals("stsz") ? stz2 : box));
        return new int[] {samples.lengthBytes(0), samples.lengthBytes(1), samples.lengthBytes(2)};
    }

    @Test
    void oneSizeForAllNeedsRoomInTheFile() throws Exception {
        assertThat(Movies.only(Boxes.movie(Boxes.with(Boxes.full("stsz", 0, 5, 3)))).lengthBytes(1))
                .isEqualTo(5);
        BadPayload error =
                Movies.refused(Boxes.movie(Boxes.with(Boxes.full("stsz", 0, 1, 2_000_000_000))));
        assertThat(error.reason()).isEqualTo(Reason.CORRUPT);
        assertThat(error).hasMessageContaining("stsz of 2000000000 samples");
    }

    @Test
    void tablesHoldWhatTheyCount() {
        for (String type : new String[] {"stts", "stsc", "stco"}) {
            BadPayload error =
                    Movies.refused(Boxes.movie(Boxes.with(Boxes.full(type, 0, 1 << 30, 1, 3))));
            assertThat(error.reason()).isEqualTo(Reason.CORRUPT);
            assertThat(error).hasMessageContaining("Box " + type + " of 1073741824 entries");
        }
        BadPayload error = Movies.refused(Boxes.movie(Boxes.with(Boxes.full("stsz", 0, 0, 4, 1))));
        assertThat(error).hasMessageContaining("stsz of 4 samples where at most 1 can be");
    }

    @Test
    void chunksMustHoldAllSamples() {
        BadPayload error =
                Movies.refused(Boxes.movie(Boxes.with(Boxes.full("stsc", 0, 1, 1, 2, 1))));
        assertThat(error.reason()).isEqualTo(Reason.CORRUPT);
        assertThat(error).hasMessageContaining("1 chunks do not hold all samples");
    }

    @Test
    void theLastDurationGoesOn() throws Exception {
        SampleTable samples = Movies.only(Boxes.movie(Boxes.with(Boxes.full("stts", 0, 1, 1, 50))));
        assertThat(samples.decodeTicks(2)).isEqualTo(100);
        assertThat(samples.durationTicks(2)).isEqualTo(50);
    }

    @Test
    void whatIsNotReadIsNamed() {
        byte[] second = Boxes.full("stsc", 0, 1, 1, 3, 2);
        assertThat(Movies.refused(Boxes.movie(Boxes.with(second))).reason())
                .isEqualTo(Reason.UNSUPPORTED);
        byte[] compressed = Boxes.join(Boxes.box("moov", Boxes.box("cmov", Boxes.ints(0))));
        assertThat(Movies.refused(compressed)).hasMessageContaining("cmov");
        assertThat(Movies.refused(new byte[0]).reason()).isEqualTo(Reason.EMPTY);
        byte[] none = Boxes.box("ftyp", Boxes.text("isom"), Boxes.ints(0));
        assertThat(Movies.refused(none)).hasMessageContaining("No box moov in 16 bytes");
    }

    @Test
    void aBoxLiesWithinItsParent() {
        byte[] file = Boxes.movie(box -> box);
        int tkhd = indexOf(file, "tkhd") - 4;
        ByteBuffer.wrap(file).putInt(tkhd, 1 << 20);
        BadPayload error = Movies.refused(file);
        assertThat(error.reason()).isEqualTo(Reason.CORRUPT);
        assertThat(error).hasMessageContaining("Box tkhd of 1048576 bytes where");
        assertThat(error.offsetBytes()).isEqualTo(tkhd);
    }

    @Test
    void aHeaderBeyondTheLimitIsRefusedBeforeMemoryIsTaken() {
        byte[] file = Boxes.box("moov", Boxes.mvhd());
        ByteBuffer.wrap(file).putInt(0, 1 << 30);
        ByteView whole = ByteView.of(file);
        ByteView view =
                new ByteView() {
                    @Override
                    public long lengthBytes() {
                        return 2L << 30;
                    }

                    @Override
                    public int read(long offsetBytes, byte[] target, int length)
                            throws IOException {
                        return whole.read(offsetBytes, target, length);
                    }
                };
        assertThat(catchThrowable(() -> MovieReader.read(view)))
                .isInstanceOf(BadPayload.class)
                .hasMessageContaining("moov of 1073741824 bytes; at most 67108864 are read");
    }

    @Test
    void samplesWithoutFieldsAreCountedBeforeMemoryIsTaken() {
        byte[] mvex = Boxes.box("mvex", Boxes.full("trex", 0, 7, 1, 20, 4, 0));
        byte[] movie = Boxes.movie(box -> box, mvex);
        byte[] traf =
                Boxes.box(
                        "traf",
                        Boxes.full("tfhd", 0x20000, 7),
                        Boxes.full("trun", 0x1, Integer.MAX_VALUE, 8));
        byte[] file = Boxes.join(Arrays.copyOf(movie, movie.length - 200), Boxes.box("moof", traf));
        BadPayload error = Movies.refused(file);
        assertThat(error.reason()).isEqualTo(Reason.UNSUPPORTED);
        assertThat(error).hasMessageContaining("at most 2097152");
    }

    @Test
    void runsTakeDefaultsFromTheFragmentOrTheMovie() throws Exception {
        byte[] mvex = Boxes.box("mvex", Boxes.full("trex", 0, 7, 1, 20, 4, 0));
        byte[] movie = Boxes.movie(box -> box, mvex);
        byte[] first =
                Boxes.box(
                        "traf",
                        Boxes.full("tfhd", 0x20000 | 0x10 | 0x20, 7, 6, 0x10000),
                        Boxes.full("trun", 0x1 | 0x4, 3, 500, 0),
                        Boxes.full("trun", 0, 1));
        byte[] moof = Boxes.box("moof", first);
        byte[] file = Boxes.join(Arrays.copyOf(movie, movie.length - 200), moof);
        SampleTable samples = Movies.only(file);
        int moofAt = file.length - moof.length;
        assertThat(samples.size()).isEqualTo(7);
        assertThat(samples.offsetBytes(3)).isEqualTo(moofAt + 500L);
        assertThat(samples.offsetBytes(6)).isEqualTo(moofAt + 518L);
        assertThat(samples.decodeTicks(3)).isEqualTo(600);
        assertThat(samples.decodeTicks(6)).isEqualTo(660);
        assertThat(samples.isKey(3)).isTrue();
        assertThat(samples.isKey(4)).isFalse();
    }

    private static int indexOf(byte[] file, String type) {
        return new String(file, StandardCharsets.ISO_8859_1).indexOf(type);
    }
}
