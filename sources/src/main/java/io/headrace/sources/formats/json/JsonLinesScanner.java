package io.headrace.sources.formats.json;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.stores.ByteSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Scans JSON lines. A byte order mark, carriage returns before line feeds, lines of blanks and a last line without an end are allowed;
 * a bad line is left out by its number and the next begins after the line feed.
 */
public final class JsonLinesScanner implements ShardScanner {

    /** Longer lines are left out. */
    static final int MAX_LINE_BYTES = 64 << 20;

    private static final int FIRST_BUFFER_BYTES = 256 << 10;

    private final Path shard;
    private final ByteSource source;
    private final FieldSelection fields;
    private byte[] buffer = new byte[FIRST_BUFFER_BYTES];

    public JsonLinesScanner(Path shard, ByteSource source, FieldSelection fields) {
        this.shard = shard;
        this.source = source;
        this.fields = fields;
    }

    @Override
    public long scan(SampleSink sink) throws IOException {
        long length = source.lengthBytes();
        if (length == 0) {
            throw new BadShard(shard, Reason.EMPTY, "empty file");
        }
        JsonSamples samples = new JsonSamples(shard, fields, sink);
        long start = startOfText();
        long line = 1;
        while (start < length) {
            int size = lineBytes(start);
            int end = trimmedEnd(size);
            if (size == MAX_LINE_BYTES && buffer[size - 1] != '\n') {
                sink.skip(
                        new Skip(
                                Reason.TOO_LONG,
                                "line " + line,
                                start,
                                "more than %d bytes".formatted(MAX_LINE_BYTES)));
                start = nextLine(start + size);
            } else {
                if (end > 0) {
                    samples.take("line " + line, start, Arrays.copyOf(buffer, end));
                }
                start += size;
            }
            sink.progress(start);
            line++;
        }
        return length;
    }

    private long startOfText() throws IOException {
        int read = source.read(0, MemorySegment.ofArray(buffer).asSlice(0, 3));
        boolean mark =
                read == 3
                        && buffer[0] == (byte) 0xef
                        && buffer[1] == (byte) 0xbb
                        && buffer[2] == (byte) 0xbf;
        return mark ? 3 : 0;
    }

    private long windowStart = -1;
    private int windowBytes;
    private byte[] window = new byte[FIRST_BUFFER_BYTES];

    /** Copies the line that begins at an offset into the buffer, its end included; answers its length. */
    private int lineBytes(long start) throws IOException {
        int size = 0;
        while (size < MAX_LINE_BYTES) {
            int from = windowAt(start + size);
            if (from < 0) {
                break;
            }
            int to = from;
            while (to < windowBytes && window[to] != '\n') {
                to++;
            }
            boolean ended = to < windowBytes;
            int count = Math.min(to - from + (ended ? 1 : 0), MAX_LINE_BYTES - size);
            if (size + count > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + count));
            }
            System.arraycopy(window, from, buffer, size, count);
            size += count;
            if (ended) {
                break;
            }
        }
        return size;
    }

    private long nextLine(long from) throws IOException {
        long offset = from;
        int at = windowAt(offset);
        while (at >= 0) {
            while (at < windowBytes) {
                if (window[at++] == '\n') {
                    return windowStart + at;
                }
            }
            offset = windowStart + windowBytes;
            at = windowAt(offset);
        }
        return offset;
    }

    /** Place of an offset in the window, which is moved there if need be; -1 at the end. */
    private int windowAt(long offset) throws IOException {
        if (windowStart < 0 || offset < windowStart || offset >= windowStart + windowBytes) {
            windowBytes = source.read(offset, MemorySegment.ofArray(window));
            windowStart = offset;
        }
        return offset < windowStart + windowBytes ? (int) (offset - windowStart) : -1;
    }

    private int trimmedEnd(int size) {
        int end = size;
        while (end > 0 && isBlank(buffer[end - 1])) {
            end--;
        }
        return end;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
