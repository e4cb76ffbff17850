package io.headrace.media.video.container;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Writes boxes, and a small movie of one video track whose every table a test may replace. */
final class Boxes {
    static final int TIMESCALE = 600;

    private Boxes() {}

    static byte[] box(String type, byte[]... content) {
        byte[] body = join(content);
        return ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .put(type.getBytes(StandardCharsets.US_ASCII))
                .put(body)
                .array();
    }

    /** A box with version and flags, then 32-bit fields. */
    static byte[] full(String type, int versionAndFlags, int... fields) {
        return box(type, ints(versionAndFlags), ints(fields));
    }

    static byte[] ints(int... fields) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * fields.length);
        Arrays.stream(fields).forEach(bytes::putInt);
        return bytes.array();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    /** Three samples of 10, 20 and 30 bytes from offset 100 on, 200 ticks each, all of them keys. */
    static byte[] movie(UnaryOperator<byte[]> changed) {
        return movie(changed, new byte[0]);
    }

    /**
     * @param changed gives what stands for a box of the sample table; null leaves it out
     * @param behind goes into moov behind its track
     */
    static byte[] movie(UnaryOperator<byte[]> changed, byte[] behind) {
        ByteArrayOutputStream stbl = new ByteArrayOutputStream();
        byte[][] tables = {
            full("stsd", 0, 1),
            full("stts", 0, 1, 3, 200),
            full("stsc", 0, 1, 1, 3, 1),
            full("stsz", 0, 0, 3, 10, 20, 30),
            full("stco", 0, 1, 100)
        };
        tables[0] = box("stsd", ints(0, 1), box("avc1", visual(320, 240)));
        for (byte[] table : tables) {
            byte[] now = changed.apply(table);
            if (now != null) {
                stbl.writeBytes(now);
            }
        }
        byte[] mdia =
                box(
                        "mdia",
                        full("mdhd", 0, 0, 0, TIMESCALE, 600, 0),
                        box("hdlr", ints(0, 0), text("vide"), new byte[12]),
                        box("minf", box("stbl", stbl.toByteArray())));
        byte[] trak = box("trak", tkhd(), mdia);
        byte[] moov = box("moov", mvhd(), trak, behind);
        return join(box("ftyp", text("isom"), ints(0)), moov, new byte[200]);
    }

    static byte[] mvhd() {
        return box("mvhd", ints(0, 0, 0, 1000, 1000, 0x10000), new byte[12], matrix());
    }

    static byte[] tkhd() {
        return box("tkhd", ints(1, 0, 0, 7, 0, 1000), new byte[16], matrix(), ints(320, 240));
    }

    private static byte[] matrix() {
        return ints(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
    }

    private static byte[] visual(int width, int height) {
        byte[] entry = new byte[78];
        ByteBuffer.wrap(entry).putShort(24, (short) width).putShort(26, (short) height);
        return entry;
    }

    static byte[] text(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    static String type(byte[] box) {
        return new String(box, 4, 4, StandardCharsets.US_ASCII);
    }

    /** Puts another box in the place of the one with its type. */
    static UnaryOperator<byte[]> with(byte[] table) {
        return old -> type(old).equals(type(table)) ? table : old;
    }
}
