package io.headrace.sources.formats.tar;

import io.headrace.engine.descriptor.BadPayload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Walks the headers of a tar and leaps over the payloads. Knows ustar, GNU long names, large sizes and old sparse maps, and PAX headers
 * of one member or of all. Ends at the end of the file; blocks of zeros, also between joined tars, are passed over. Not thread-safe.
 */
final class TarWalker {

    /** Extended headers above it are damage: PATH_MAX is 4,096. */
    private static final int MAX_EXTENDED_BYTES = 1 << 20;

    /** No member is larger: sums of offsets stay far from the largest long. */
    private static final long MAX_MEMBER_BYTES = 1L << 60;

    private static final int BLOCK = TarHeader.BLOCK_BYTES;

    private final ScanWindow window;
    private final byte[] block = new byte[BLOCK];
    private final Map<String, String> globals = new HashMap<>();
    private long offset;
    private boolean passedZeros;

    TarWalker(ScanWindow window) {
        this.window = window;
    }

    /** Where the next header is looked for. */
    long offset() {
        return offset;
    }

    /**
     * The next member; empty at the end. A member whose payload goes beyond the end of the file is given as it is.
     *
     * @throws BadPayload if there are bytes that are no header; nothing can be read after it
     */
    Optional<TarMember> next() throws IOException, BadPayload {
        Map<String, String> pax = new HashMap<>(globals);
        long first = -1;
        while (readBlock()) {
            TarHeader header = new TarHeader(block);
            if (first < 0 && header.isZero()) {
                passedZeros = true;
                offset += BLOCK;
                continue;
            }
            long size = checkedSize(header);
            if (first < 0) {
                first = offset;
                window.mark(first);
            }
            switch (header.type()) {
                case 'x', 'X' -> pax.putAll(paxRecords(size));
                case 'g' -> globals.putAll(paxRecords(size));
                case 'L' -> pax.put("path", longName(size));
                case 'K' -> skipExtended(size);
                default -> {
                    return Optional.of(member(header, pax, first, size));
                }
            }
        }
        if (first >= 0) {
            throw new BadPayload(
                    BadPayload.Reason.TRUNCATED, "ends after an extended header", first);
        }
        return Optional.empty();
    }

    private boolean readBlock() throws IOException, BadPayload {
        MemorySegment bytes = window.at(offset, BLOCK);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, block, 0, (int) bytes.byteSize());
        if (bytes.byteSize() > 0 && bytes.byteSize() < BLOCK) {
            Arrays.fill(block, (int) bytes.byteSize(), BLOCK, (byte) 0);
            if (!new TarHeader(block).isZero()) {
                throw new BadPayload(
                        BadPayload.Reason.TRUNCATED,
                        "ends within a header, after %d of %d bytes"
                                .formatted(bytes.byteSize(), BLOCK),
                        offset);
            }
            return false;
        }
        return bytes.byteSize() == BLOCK;
    }

    private long checkedSize(TarHeader header) throws BadPayload {
        if (!header.checksumMatches()) {
            throw new BadPayload(
                    BadPayload.Reason.CORRUPT,
                    passedZeros
                            ? "bytes that are no tar after the end of the archive"
                            : "no tar header: its checksum is wrong",
                    offset);
        }
        long size = header.sizeBytes();
        if (size < 0 || size > MAX_MEMBER_BYTES) {
            throw new BadPayload(
                    BadPayload.Reason.CORRUPT, "a member size that is no number", offset);
        }
        return size;
    }

    private TarMember member(TarHeader header, Map<String, String> pax, long first, long headerSize)
            throws IOException, BadPayload {
        char type = header.type();
        String name = pax.getOrDefault("path", header.name());
        long size = paxSize(pax, headerSize);
        long data = offset + BLOCK;
        if (type == 'S') {
            data = endOfSparseMap(data);
        }
        boolean sparse =
                type == 'S' || pax.keySet().stream().anyMatch(k -> k.startsWith("GNU.sparse"));
        boolean folder = type == '5' || name.endsWith("/");
        boolean link = type == '1' || type == '2';
        boolean device = type == '3' || type == '4' || type == '6';
        boolean plain = type == '0' || type == 0 || type == '7';
        boolean stored = !(link || device || folder);
        offset = data + (stored ? padded(size) : 0);
        return new TarMember(name, first, data, size, plain && !sparse && !folder);
    }

    private static long paxSize(Map<String, String> pax, long headerSize) {
        String size = pax.get("size");
        if (size == null) {
            return headerSize;
        }
        try {
            return Math.clamp(Long.parseLong(size), 0, MAX_MEMBER_BYTES);
        } catch (NumberFormatException e) {
            return headerSize;
        }
    }

    private long endOfSparseMap(long data) throws IOException {
        boolean more = block[TarHeader.SPARSE_EXTENDED_IN_HEADER] != 0;
        long at = data;
        while (more) {
            MemorySegment map = window.at(at, BLOCK);
            at += BLOCK;
            more =
                    map.byteSize() == BLOCK
                            && map.get(ValueLayout.JAVA_BYTE, TarHeader.SPARSE_EXTENDED_IN_MAP)
                                    != 0;
        }
        return at;
    }

    private byte[] extended(long size) throws IOException, BadPayload {
        if (size > MAX_EXTENDED_BYTES) {
            throw new BadPayload(
                    BadPayload.Reason.CORRUPT,
                    "an extended header of %d bytes, the limit is %d"
                            .formatted(size, MAX_EXTENDED_BYTES),
                    offset);
        }
        byte[] bytes = window.at(offset + BLOCK, size).toArray(ValueLayout.JAVA_BYTE);
        if (bytes.length < size) {
            throw new BadPayload(
                    BadPayload.Reason.TRUNCATED, "ends within an extended header", offset);
        }
        offset += BLOCK + padded(size);
        return bytes;
    }

    private void skipExtended(long size) throws IOException, BadPayload {
        extended(size);
    }

    private String longName(long size) throws IOException, BadPayload {
        byte[] bytes = extended(size);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Records of the form {@code "length key=value\n"}; the length counts itself. */
    private Map<String, String> paxRecords(long size) throws IOException, BadPayload {
        long headerOffset = offset;
        byte[] bytes = extended(size);
        Map<String, String> records = new HashMap<>();
        int at = 0;
        while (at < bytes.length && bytes[at] != 0) {
            int space = indexOf(bytes, ' ', at);
            int length = space < 0 ? 0 : decimal(bytes, at, space);
            int equals = space < 0 ? -1 : indexOf(bytes, '=', space);
            if (length <= 0 || at + length > bytes.length || equals < 0 || equals > at + length) {
                throw new BadPayload(
                        BadPayload.Reason.CORRUPT, "a PAX record of no length", headerOffset);
            }
            records.put(
                    new String(bytes, space + 1, equals - space - 1, StandardCharsets.UTF_8),
                    new String(
                            bytes, equals + 1, at + length - equals - 2, StandardCharsets.UTF_8));
            at += length;
        }
        return records;
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int decimal(byte[] bytes, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9' || value > MAX_EXTENDED_BYTES) {
                return -1;
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    private static long padded(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }
}
