package io.headrace.sources.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.RecordingSink;
import io.headrace.sources.formats.SampleGrouping;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.TarBytes;
import io.headrace.sources.stores.LocalFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarScannerTest {

    @TempDir Path folder;

    private static final FieldSelection ANY = FieldSelection.ofImages(List.of(), "");
    private static final FieldSelection JPG_TXT = FieldSelection.ofImages(List.of("jpg"), "txt");

    private static RecordingSink scan(Path tar, FieldSelection fields) throws IOException {
        RecordingSink sink = new RecordingSink();
        try (LocalFile file = LocalFile.open(tar)) {
            assertThat(new TarScanner(tar, file, fields).scan(sink)).isEqualTo(Files.size(tar));
        }
        return sink;
    }

    private RecordingSink scan(TarBytes tar, FieldSelection fields) throws IOException {
        return scan(tar.write(folder.resolve("s.tar")), fields);
    }

    private RecordingSink scan(byte[] tar, FieldSelection fields) throws IOException {
        return scan(Files.write(folder.resolve("s.tar"), tar), fields);
    }

    @Test
    void membersOfOneKeyAreOneSample() throws IOException {
        RecordingSink sink =
                scan(new TarBytes().files("0.jpg", "0.txt", "1.jpg", "1.txt"), JPG_TXT);
        assertThat(sink.keys()).containsExactly("0", "1");
        assertThat(sink.samples().getFirst().fields()).containsExactly("jpg", "txt");
        assertThat(sink.payloads()).containsExactly("0.jpg", "0.txt", "1.jpg", "1.txt");
        assertThat(sink.samples().get(1).parts())
                .extracting(Part::location)
                .containsExactly(new Location.Range(0, 2560, 5), new Location.Range(0, 3584, 5));
        assertThat(sink.skips()).isEmpty();
    }

    @Test
    void textBeforePictureIsShownAfterIt() throws IOException {
        RecordingSink sink = scan(new TarBytes().files("0.txt", "0.jpg"), JPG_TXT);
        assertThat(sink.samples().getFirst().fields()).containsExactly("jpg", "txt");
    }

    @Test
    void upperCaseSuffixIsTheSameField() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes().files("a.JPG", "a.json"),
                        FieldSelection.ofImages(List.of("jpg"), "json"));
        assertThat(sink.samples().getFirst().fields()).containsExactly("jpg", "json");
    }

    @Test
    void twoPicturesOfOneSample() throws IOException {
        TarBytes tar = new TarBytes().files("a.right.png", "a.left.png");
        RecordingSink all = scan(tar, ANY);
        assertThat(all.samples().getFirst().fields()).containsExactly("left.png", "right.png");
        RecordingSink ordered =
                scan(
                        new TarBytes().files("a.right.png", "a.left.png"),
                        FieldSelection.ofImages(List.of("right.png", "left.png"), ""));
        assertThat(ordered.samples().getFirst().fields()).containsExactly("right.png", "left.png");
    }

    @Test
    void dotsInFoldersAndNamesMakeKeysUpToTheFirstDotOfTheLastPart() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes()
                                .files("train.v1/0001.jpg", "22.0/1.1.png", "a.b.c.jpg", "a..jpg"),
                        ANY);
        assertThat(sink.keys()).containsExactly("train.v1/0001", "22.0/1", "a");
        assertThat(sink.samples().stream().map(RecordingSink.Sample::fields))
                .containsExactly(List.of("jpg"), List.of("1.png"), List.of(".jpg", "b.c.jpg"));
    }

    @Test
    void firstAlternativeIsTaken() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes().files("a.png", "a.txt", "b.jpeg", "b.caption"),
                        FieldSelection.ofImages(List.of("jpg;jpeg;png"), "txt;caption"));
        assertThat(sink.samples().stream().map(RecordingSink.Sample::fields))
                .containsExactly(List.of("png", "txt"), List.of("jpeg", "caption"));
    }

    @Test
    void keyInsideJsonNamesTheMemberThatHoldsIt() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes().files("a.jpg", "a.json"),
                        FieldSelection.ofImages(List.of("jpg"), "json.caption"));
        assertThat(sink.samples().getFirst().fields()).containsExactly("jpg", "json#caption");
    }

    @Test
    void unsortedMembersAreRegrouped() throws IOException {
        RecordingSink sink =
                scan(new TarBytes().files("0.jpg", "1.jpg", "0.txt", "1.txt"), JPG_TXT);
        assertThat(sink.keys()).containsExactly("0", "1");
        assertThat(sink.samples()).allSatisfy(s -> assertThat(s.parts()).hasSize(2));
    }

    @Test
    void anyOrderWithinTheBoundGivesTheSameSamples() throws IOException {
        long seed = 11;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            names.addAll(List.of(i + ".jpg", i + ".txt"));
        }
        Collections.shuffle(names, new Random(seed));
        RecordingSink sink = scan(new TarBytes().files(names.toArray(String[]::new)), JPG_TXT);
        assertThat(sink.keys()).as("seed %d", seed).hasSize(500).doesNotHaveDuplicates();
        assertThat(sink.skips()).isEmpty();
    }

    @Test
    void memberBeyondTheBoundIsNamedAndMakesNoSecondSample() throws IOException {
        TarBytes tar = new TarBytes().files("late.jpg", "late.txt");
        for (int i = 0; i <= SampleGrouping.MAX_OPEN; i++) {
            tar.files(i + ".jpg", i + ".txt");
        }
        RecordingSink sink = scan(tar.files("late.txt"), JPG_TXT);
        assertThat(sink.keys()).hasSize(SampleGrouping.MAX_OPEN + 2).doesNotHaveDuplicates();
        assertThat(sink.skips())
                .singleElement()
                .satisfies(
                        skip -> {
                            assertThat(skip.reason()).isEqualTo(Reason.DUPLICATE_KEY);
                            assertThat(skip.name()).isEqualTo("late.txt");
                            assertThat(skip.detail()).contains("4096");
                        });
    }

    @Test
    void duplicateMemberSkipsItsSampleOnly() throws IOException {
        RecordingSink sink =
                scan(new TarBytes().files("x.jpg", "x.txt", "x.jpg", "y.jpg", "y.txt"), JPG_TXT);
        assertThat(sink.keys()).containsExactly("y");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name, Skip::offsetBytes)
                .containsExactly(tuple(Reason.DUPLICATE_MEMBER, "x.jpg", 2048L));
    }

    @Test
    void missingFieldSkipsTheSample() throws IOException {
        RecordingSink sink = scan(new TarBytes().files("a.jpg", "b.jpg", "b.txt"), JPG_TXT);
        assertThat(sink.keys()).containsExactly("b");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name, Skip::detail)
                .containsExactly(tuple(Reason.MISSING_FIELD, "a", "no field txt"));
    }

    @Test
    void badPictureSkipsItsSampleAndNamesTheMember() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes().file("a.jpg", "").files("a.txt", "b.jpg").file("b.txt", ""),
                        JPG_TXT);
        assertThat(sink.keys()).containsExactly("b");
        assertThat(sink.samples().getFirst().parts().get(1).location())
                .isEqualTo(new Location.Range(0, 3072, 0));
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactly(tuple(Reason.EMPTY, "a.jpg"));
    }

    @Test
    void clutterIsIgnoredAndCounted() throws IOException {
        RecordingSink sink =
                scan(
                        new TarBytes()
                                .files(
                                        ".DS_Store",
                                        "README",
                                        "README.md",
                                        "__MACOSX/._a.jpg",
                                        "._a.jpg",
                                        "a.jpg",
                                        "sub/__MACOSX/a.jpg",
                                        "sub/.hidden"),
                        ANY);
        assertThat(sink.keys()).containsExactly("a");
        assertThat(sink.skips())
                .hasSize(7)
                .extracting(Skip::reason)
                .containsOnly(Reason.IGNORED_NAME);
    }

    @Test
    void onlyRegularFilesAreFields() throws IOException {
        TarBytes tar =
                new TarBytes()
                        .posix()
                        .special("dir/", TarConstants.LF_DIR, "")
                        .files("dir/a.jpg")
                        .special("dir/a.png", TarConstants.LF_LINK, "dir/a.jpg")
                        .special("dir/b.jpg", TarConstants.LF_SYMLINK, "a.jpg")
                        .special("dir/f.jpg", TarConstants.LF_FIFO, "")
                        .files("dir/c.jpg");
        RecordingSink sink = scan(tar, ANY);
        assertThat(sink.keys()).containsExactly("dir/a", "dir/c");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name)
                .containsExactly(
                        tuple(Reason.NOT_A_REGULAR_FILE, "dir/a.png"),
                        tuple(Reason.NOT_A_REGULAR_FILE, "dir/b.jpg"),
                        tuple(Reason.NOT_A_REGULAR_FILE, "dir/f.jpg"));
    }

    @Test
    void sparseMembersArePassedOver() throws IOException {
        TarArchiveEntry old = new TarArchiveEntry("old.jpg", TarConstants.LF_GNUTYPE_SPARSE);
        old.setSize(700);
        byte[] bytes = new TarBytes().entry(old, new byte[700]).files("a.jpg").toBytes();
        bytes[TarHeader.SPARSE_EXTENDED_IN_HEADER] = 1;
        fixChecksum(bytes, 0);
        byte[] map = new byte[512];
        byte[] withMap = new byte[bytes.length + 1024];
        System.arraycopy(bytes, 0, withMap, 0, 512);
        map[TarHeader.SPARSE_EXTENDED_IN_MAP] = 1;
        System.arraycopy(map, 0, withMap, 512, 512);
        System.arraycopy(bytes, 512, withMap, 1536, bytes.length - 512);
        RecordingSink sink = scan(withMap, ANY);
        assertThat(sink.keys()).containsExactly("a");
        assertThat(sink.skips()).extracting(Skip::name).containsExactly("old.jpg");

        TarArchiveEntry pax = new TarArchiveEntry("GNUSparseFile.0/new.jpg");
        pax.setSize(5);
        pax.addPaxHeader("GNU.sparse.major", "1");
        RecordingSink second =
                scan(new TarBytes().posix().entry(pax, new byte[5]).files("a.jpg"), ANY);
        assertThat(second.keys()).containsExactly("a");
        assertThat(second.skips())
                .extracting(Skip::reason)
                .containsExactly(Reason.NOT_A_REGULAR_FILE);
    }

    private static void fixChecksum(byte[] tar, int header) {
        Arrays.fill(tar, header + 148, header + 156, (byte) ' ');
        int sum = 0;
        for (int i = header; i < header + 512; i++) {
            sum += tar[i] & 0xff;
        }
        byte[] text = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, tar, header + 148, 8);
    }

    @Test
    void longNamesOfPaxAndGnu() throws IOException {
        String longName = "d/".repeat(150) + "x".repeat(120) + ".jpg";
        for (TarBytes tar : List.of(new TarBytes().posix(), new TarBytes().gnu())) {
            RecordingSink sink = scan(tar.files(longName, "ü.jpg", "b.jpg"), ANY);
            assertThat(sink.keys())
                    .containsExactly(longName.substring(0, longName.length() - 4), "ü", "b");
            assertThat(sink.payloads()).containsExactly(longName, "ü.jpg", "b.jpg");
        }
    }

    @Test
    void paxSizeGoesBeforeTheHeadersOwn() throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry("a.jpg");
        entry.setSize(5);
        entry.addPaxHeader("sizx", "5");
        byte[] bytes =
                new TarBytes()
                        .posix()
                        .entry(entry, "a.jpg".getBytes(StandardCharsets.UTF_8))
                        .files("b.jpg")
                        .toBytes();
        int header = 1024;
        assertThat(new String(bytes, 512, 10, StandardCharsets.UTF_8)).isEqualTo("10 sizx=5\n");
        bytes[512 + 6] = 'e';
        assertThat(new String(bytes, header, 5, StandardCharsets.UTF_8)).isEqualTo("a.jpg");
        System.arraycopy(
                "00000000000\0".getBytes(StandardCharsets.UTF_8), 0, bytes, header + 124, 12);
        fixChecksum(bytes, header);
        assertThat(scan(bytes, ANY).payloads()).containsExactly("a.jpg", "b.jpg");
    }

    @Test
    void binarySizesOfGnu() throws IOException {
        byte[] bytes = new TarBytes().files("a.jpg", "b.jpg").toBytes();
        Arrays.fill(bytes, 124, 136, (byte) 0);
        bytes[124] = (byte) 0x80;
        bytes[135] = 5;
        fixChecksum(bytes, 0);
        assertThat(scan(bytes, ANY).keys()).containsExactly("a", "b");
    }

    @Test
    void cutMemberIsNamedAndTheSamplesBeforeItAreGiven() throws IOException {
        byte[] whole = new TarBytes().files("a.jpg", "a.txt", "b.jpg", "b.txt").toBytes();
        RecordingSink sink = scan(Arrays.copyOf(whole, 3 * 1024 + 512 + 2), JPG_TXT);
        assertThat(sink.keys()).containsExactly("a");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::name, Skip::offsetBytes)
                .containsExactly(tuple(Reason.TRUNCATED, "b.txt", 3072L));
        assertThat(sink.skips().getFirst().detail()).contains("3586", "3589");
    }

    @Test
    void cutHeaderIsNamedByItsOffset() throws IOException {
        byte[] whole = new TarBytes().files("a.jpg", "b.jpg").toBytes();
        RecordingSink sink = scan(Arrays.copyOf(whole, 1024 + 100), ANY);
        assertThat(sink.keys()).containsExactly("a");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::offsetBytes)
                .containsExactly(tuple(Reason.TRUNCATED, 1024L));
    }

    @Test
    void allMembersAreValidWithoutEndBlocksOrPadding() throws IOException {
        byte[] whole = new TarBytes().files("a.jpg", "b.jpg").toBytes();
        for (int length : new int[] {2048, 2048 + 512, 1024 + 512 + 5}) {
            RecordingSink sink = scan(Arrays.copyOf(whole, length), ANY);
            assertThat(sink.keys()).containsExactly("a", "b");
            assertThat(sink.skips()).isEmpty();
        }
    }

    @Test
    void emptyFileIsAnError() throws IOException {
        Path file = Files.createFile(folder.resolve("empty.tar"));
        assertThatThrownBy(() -> scan(file, ANY))
                .isInstanceOf(BadShard.class)
                .hasMessage("Shard %s: empty file".formatted(file));
    }

    @Test
    void zerosAreAShardOfNoSamples() throws IOException {
        RecordingSink sink = scan(new byte[10240], ANY);
        assertThat(sink.samples()).isEmpty();
        assertThat(sink.skips()).isEmpty();
    }

    @Test
    void joinedTarsAreRead() throws IOException {
        byte[] one = new TarBytes().files("a.jpg").toBytes();
        byte[] two = new TarBytes().files("b.jpg").toBytes();
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        assertThat(scan(both, ANY).keys()).containsExactly("a", "b");
    }

    @Test
    void damageInTheMiddleIsNamedByItsOffset() throws IOException {
        byte[] bytes = new TarBytes().files("a.jpg", "b.jpg", "c.jpg").toBytes();
        bytes[1024 + 3] ^= 1;
        RecordingSink sink = scan(bytes, ANY);
        assertThat(sink.keys()).containsExactly("a");
        assertThat(sink.skips())
                .extracting(Skip::reason, Skip::offsetBytes)
                .containsExactly(tuple(Reason.CORRUPT, 1024L));
    }

    @Test
    void whatIsNoTarIsRefused() {
        byte[] text = "{\"a\": 1}\n".repeat(100).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> scan(text, ANY))
                .isInstanceOf(BadShard.class)
                .hasMessageEndingWith("not a tar");
    }

    @Test
    void largeMembersAreLeaptOver() throws IOException {
        TarBytes tar = new TarBytes();
        for (int i = 0; i < 40; i++) {
            tar.file(i + ".npy", new byte[300_000]).files(i + ".jpg");
        }
        CountingSource source = new CountingSource(tar.toBytes());
        RecordingSink sink = new RecordingSink();
        new TarScanner(Path.of("s.tar"), source, ANY).scan(sink);
        assertThat(sink.keys()).hasSize(40);
        assertThat(source.readBytes()).isLessThan(40 * 8192 + 1_500_000);
    }

    @Test
    void smallMembersAreReadInSequence() throws IOException {
        TarBytes tar = new TarBytes();
        for (int i = 0; i < 2000; i++) {
            tar.files(i + ".jpg");
        }
        byte[] bytes = tar.toBytes();
        CountingSource source = new CountingSource(bytes);
        RecordingSink sink = new RecordingSink();
        new TarScanner(Path.of("s.tar"), source, ANY).scan(sink);
        assertThat(sink.keys()).hasSize(2000);
        assertThat(source.reads()).isLessThanOrEqualTo(bytes.length / (256 << 10) + 2);
        assertThat(source.readBytes()).isLessThan(bytes.length + 4096);
    }
}
