package io.headrace.media.video.container;

import java.nio.charset.StandardCharsets;

/**
 * A box of an mp4 or an atom of a mov (ISO/IEC 14496-12, 4.2): its four-character type as an integer, where it begins in the file, and
 * the range of its content.
 */
record Box(int type, long at, long from, long end) {

    /** A type as it stands in the file. */
    static int code(String type) {
        return type.charAt(0) << 24 | type.charAt(1) << 16 | type.charAt(2) << 8 | type.charAt(3);
    }

    /** A type as text; bytes that are no printable ASCII become dots. */
    static String name(int code) {
        byte[] name = new byte[4];
        for (int i = 0; i < 4; i++) {
            byte letter = (byte) (code >> (24 - 8 * i));
            name[i] = letter >= ' ' && letter < 0x7F ? letter : (byte) '.';
        }
        return new String(name, StandardCharsets.US_ASCII);
    }

    String name() {
        return name(type);
    }

    long contentBytes() {
        return end - from;
    }
}
