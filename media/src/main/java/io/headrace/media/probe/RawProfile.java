package io.headrace.media.probe;

import io.headrace.engine.descriptor.BadPayload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** EXIF as ImageMagick hides it in a PNG's text: a line feed, a name, a length, then hexadecimal lines. Broken text has no orientation. */
final class RawProfile {
    private static final int MOST_BYTES = 1 << 20;

    private RawProfile() {}

    static int ofText(HeaderBytes bytes, long from, long end) throws BadPayload, IOException {
        return ofHex(new String(copy(bytes, from, end), StandardCharsets.ISO_8859_1));
    }

    static int ofDeflated(HeaderBytes bytes, long from, long end) throws BadPayload, IOException {
        byte[] packed = copy(bytes, from, end);
        byte[] text = new byte[MOST_BYTES];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            int length = 0;
            int read;
            while (length < text.length
                    && (read = inflater.inflate(text, length, text.length - length)) > 0) {
                length += read;
            }
            return ofHex(new String(text, 0, length, StandardCharsets.ISO_8859_1));
        } catch (DataFormatException broken) {
            return ExifTag.NONE;
        } finally {
            inflater.end();
        }
    }

    private static int ofHex(String text) throws BadPayload, IOException {
        int line = 0;
        for (int i = 0; i < 3; i++) {
            line = text.indexOf('\n', line) + 1;
            if (line == 0) {
                return ExifTag.NONE;
            }
        }
        try {
            byte[] exif = HexFormat.of().parseHex(text.substring(line).replaceAll("\\s", ""));
            if (exif.length == 0) {
                return ExifTag.NONE;
            }
            HeaderBytes inner = new HeaderBytes();
            inner.open(ByteView.of(exif));
            return ExifTag.ofExif(inner, 0, exif.length);
        } catch (IllegalArgumentException broken) {
            return ExifTag.NONE;
        }
    }

    private static byte[] copy(HeaderBytes bytes, long from, long end)
            throws BadPayload, IOException {
        byte[] copy = new byte[(int) Math.max(0, end - from)];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = (byte) bytes.u8(from + i);
        }
        return copy;
    }
}
