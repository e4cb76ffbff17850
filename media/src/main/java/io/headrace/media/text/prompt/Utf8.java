package io.headrace.media.text.prompt;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: a wrong byte is an error with its offset, never a replacement character. */
final class Utf8 {

    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private Utf8() {}

    /** Bytes of a byte order mark at the start: 3 or 0. */
    static int bomBytes(byte[] payload) {
        boolean has =
                payload.length >= 3
                        && payload[0] == BOM[0]
                        && payload[1] == BOM[1]
                        && payload[2] == BOM[2];
        return has ? 3 : 0;
    }

    /** The text without a byte order mark. */
    static String decode(byte[] payload) throws BadPayload {
        int from = bomBytes(payload);
        ByteBuffer in = ByteBuffer.wrap(payload, from, payload.length - from);
        CharBuffer out = CharBuffer.allocate(payload.length - from);
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            throw new BadPayload(
                    Reason.BAD_ENCODING,
                    "Not UTF-8: byte 0x%02X".formatted(payload[in.position()] & 0xFF),
                    in.position());
        }
        return out.flip().toString();
    }

    /** Refuses half of a surrogate pair, which JSON can write as an escape but no text can hold. */
    static String withoutLoneSurrogates(String text) throws BadPayload {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair =
                    Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new BadPayload(
                        Reason.BAD_ENCODING,
                        "Lone surrogate \\u%04x at character %d of the text".formatted((int) c, i));
            }
        }
        return text;
    }
}
