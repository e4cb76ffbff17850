package io.headrace.sources.formats.tar;

import java.nio.charset.StandardCharsets;

/**
 * One 512-byte header block of a tar: POSIX ustar, GNU or old. Offsets are those of POSIX.1-2017, "ustar Interchange Format"; numbers
 * are octal text, or big-endian binary after a byte with its top bit set, as GNU writes large ones.
 */
final class TarHeader {

    static final int BLOCK_BYTES = 512;

    private static final int NAME = 0;
    private static final int NAME_BYTES = 100;
    private static final int SIZE = 124;
    private static final int SIZE_BYTES = 12;
    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_BYTES = 8;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;
    private static final int PREFIX_BYTES = 155;

    /** First of the GNU sparse flags that say whether another block of the map follows. */
    static final int SPARSE_EXTENDED_IN_HEADER = 482;

    static final int SPARSE_EXTENDED_IN_MAP = 504;

    private final byte[] block;

    /**
     * @param block read while this header is used, and not copied
     */
    TarHeader(byte[] block) {
        this.block = block;
    }

    boolean isZero() {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether the block is a header: its checksum is right, with bytes taken as unsigned or, as old programs do, as signed. */
    boolean checksumMatches() {
        int unsigned = 0;
        int signed = 0;
        for (int i = 0; i < BLOCK_BYTES; i++) {
            boolean blank = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES;
            int value = blank ? ' ' : block[i];
            signed += value;
            unsigned += value & 0xff;
        }
        long written = number(CHECKSUM, CHECKSUM_BYTES);
        return written == unsigned || written == signed;
    }

    char type() {
        return (char) (block[TYPE] & 0xff);
    }

    /** Bytes of the member; -1 if the field is no number. */
    long sizeBytes() {
        return number(SIZE, SIZE_BYTES);
    }

    String name() {
        String name = text(NAME, NAME_BYTES);
        boolean posix =
                block[MAGIC] == 'u'
                        && block[MAGIC + 1] == 's'
                        && block[MAGIC + 4] == 'r'
                        && block[MAGIC + 5] == 0;
        if (posix && block[PREFIX] != 0) {
            return text(PREFIX, PREFIX_BYTES) + "/" + name;
        }
        return name;
    }

    private String text(int offset, int maxBytes) {
        int length = 0;
        while (length < maxBytes && block[offset + length] != 0) {
            length++;
        }
        return new String(block, offset, length, StandardCharsets.UTF_8);
    }

    private long number(int offset, int bytes) {
        if ((block[offset] & 0x80) != 0) {
            return binary(offset, bytes);
        }
        int i = offset;
        int end = offset + bytes;
        while (i < end && block[i] == ' ') {
            i++;
        }
        long value = 0;
        for (; i < end && block[i] >= '0' && block[i] <= '7'; i++) {
            value = value * 8 + block[i] - '0';
        }
        boolean ended = i == end || block[i] == 0 || block[i] == ' ';
        return ended ? value : -1;
    }

    private long binary(int offset, int bytes) {
        long value = block[offset] & 0x7f;
        for (int i = offset + 1; i < offset + bytes; i++) {
            if (value >>> (Long.SIZE - Byte.SIZE - 1) != 0) {
                return -1;
            }
            value = value << Byte.SIZE | (block[i] & 0xff);
        }
        return value;
    }
}
