package io.headrace.media.audio;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.media.probe.ByteView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The header of a wav file of plain samples. A data length of 0, of all ones (a stream that was never closed, RF64) or beyond the end of
 * the payload means: to the end.
 */
final class WavHeader {
    private static final int CHUNK_HEADER_BYTES = 8;
    private static final int FORMAT_BYTES = 16;
    private static final int MOST_CHUNKS = 1024;
    private static final long UNKNOWN = 0xFFFFFFFFL;
    private static final int PCM = 1;
    private static final int FLOAT = 3;
    private static final int A_LAW = 6;
    private static final int MU_LAW = 7;
    private static final int EXTENSIBLE = 0xFFFE;

    private WavHeader() {}

    private record Format(int kind, int channels, int rateHz, int blockBytes) {
        boolean isPlain() {
            return switch (kind) {
                case PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE -> true;
                default -> false;
            };
        }
    }

    /** The facts of a file of plain samples; empty for one whose samples are compressed. */
    static Optional<AudioFacts> read(ByteView payload) throws BadPayload, IOException {
        long at = 12;
        Format format = null;
        byte[] bytes = new byte[CHUNK_HEADER_BYTES + FORMAT_BYTES];
        for (int chunk = 0; chunk < MOST_CHUNKS; chunk++) {
            int read = payload.read(at, bytes, bytes.length);
            if (read < CHUNK_HEADER_BYTES) {
                throw new BadPayload(
                        Reason.TRUNCATED, "wav without a chunk of data", payload.lengthBytes());
            }
            String name = new String(bytes, 0, 4, StandardCharsets.ISO_8859_1);
            ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            long length = numbers.getInt(4) & UNKNOWN;
            if (name.equals("fmt ") && read == bytes.length) {
                format = format(numbers, at);
            } else if (name.equals("data")) {
                if (format == null) {
                    throw new BadPayload(Reason.CORRUPT, "wav with data before its format", at);
                }
                return facts(format, length, payload.lengthBytes() - at - CHUNK_HEADER_BYTES);
            }
            at += CHUNK_HEADER_BYTES + length + (length & 1);
        }
        throw new BadPayload(
                Reason.CORRUPT, "wav of more than %d chunks".formatted(MOST_CHUNKS), 0);
    }

    private static Format format(ByteBuffer numbers, long at) throws BadPayload {
        Format format =
                new Format(
                        numbers.getShort(8) & 0xFFFF,
                        numbers.getShort(10) & 0xFFFF,
                        numbers.getInt(12),
                        numbers.getShort(20) & 0xFFFF);
        if (format.channels == 0 || format.rateHz <= 0 || format.blockBytes == 0) {
            throw new BadPayload(
                    Reason.CORRUPT,
                    "wav of %d channels, %d Hz, %d bytes a sample"
                            .formatted(format.channels, format.rateHz, format.blockBytes),
                    at);
        }
        return format;
    }

    private static Optional<AudioFacts> facts(Format format, long stated, long there) {
        long bytes = stated == 0 || stated == UNKNOWN ? there : Math.min(stated, there);
        return format.isPlain()
                ? Optional.of(
                        new AudioFacts(
                                Codec.WAV,
                                format.rateHz,
                                format.channels,
                                bytes / format.blockBytes))
                : Optional.empty();
    }
}
