package io.headrace.media.audio;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.media.probe.ByteView;
import io.headrace.media.video.demux.DemuxFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Which container a recording is in, by its first bytes and never by a name. */
final class AudioFormat {
    private static final int SNIFFED_BYTES = 12;
    private static final int ID3_HEADER_BYTES = 10;

    private AudioFormat() {}

    static DemuxFormat of(ByteView payload) throws BadPayload, IOException {
        byte[] head = head(payload, 0);
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if ((text.startsWith("RIFF") || text.startsWith("RF64")) && text.startsWith("WAVE", 8)) {
            return DemuxFormat.WAV;
        }
        if (text.startsWith("fLaC")) {
            return DemuxFormat.FLAC;
        }
        if (text.startsWith("OggS")) {
            return DemuxFormat.OGG;
        }
        if (text.startsWith("ftyp", 4)) {
            return DemuxFormat.MP4;
        }
        if (text.startsWith("\u001aE\u00df\u00a3")) {
            return DemuxFormat.MATROSKA;
        }
        if (text.startsWith("ID3")) {
            return behindTag(payload, head);
        }
        if (isAdts(head)) {
            return DemuxFormat.AAC;
        }
        if (isMpeg(head)) {
            return DemuxFormat.MP3;
        }
        throw new BadPayload(
                Reason.UNSUPPORTED,
                "Not a recording of a known container (wav, flac, mp3, ogg, opus, m4a, mkv, aac): begins with "
                        + HexFormat.ofDelimiter(" ").formatHex(head),
                0);
    }

    private static byte[] head(ByteView payload, long offset) throws BadPayload, IOException {
        byte[] head = new byte[SNIFFED_BYTES];
        int length = payload.read(offset, head, SNIFFED_BYTES);
        if (length <= 0 && offset == 0) {
            throw new BadPayload(Reason.EMPTY, "Payload of 0 bytes", 0);
        }
        return head;
    }

    /** An ID3 tag stands before MP3, and by mistake before FLAC and AAC; its length has seven bits a byte. */
    private static DemuxFormat behindTag(ByteView payload, byte[] head)
            throws BadPayload, IOException {
        int length = 0;
        for (int i = ID3_HEADER_BYTES - 4; i < ID3_HEADER_BYTES; i++) {
            length = (length << 7) | (head[i] & 0x7F);
        }
        byte[] behind = head(payload, (long) ID3_HEADER_BYTES + length);
        if (new String(behind, StandardCharsets.ISO_8859_1).startsWith("fLaC")) {
            return DemuxFormat.FLAC;
        }
        return isAdts(behind) ? DemuxFormat.AAC : DemuxFormat.MP3;
    }

    /** Twelve bits of one, then the layer, which is 0 in ADTS. */
    private static boolean isAdts(byte[] head) {
        return (head[0] & 0xFF) == 0xFF && (head[1] & 0xF6) == 0xF0;
    }

    private static boolean isMpeg(byte[] head) {
        return (head[0] & 0xFF) == 0xFF && (head[1] & 0xE0) == 0xE0 && (head[1] & 0x06) != 0;
    }
}
