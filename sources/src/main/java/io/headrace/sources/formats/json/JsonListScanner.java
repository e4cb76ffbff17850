package io.headrace.sources.formats.json;

import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.stores.ByteSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Scans one JSON list of objects. The elements are found by their brackets and strings alone, so a bad one is left out by its number
 * and the next is still found. A list that ends early gives its whole elements.
 */
public final class JsonListScanner implements ShardScanner {

    private static final int WINDOW_BYTES = 256 << 10;

    private final Path shard;
    private final ByteSource source;
    private final FieldSelection fields;

    /** What the bytes are part of. */
    private enum State {
        BEFORE_LIST,
        BETWEEN,
        ELEMENT,
        STRING,
        ESCAPE,
        AFTER_LIST
    }

    private State state = State.BEFORE_LIST;
    private int depth;
    private long number;
    private long elementOffset;
    private final ByteArrayOutputStream element = new ByteArrayOutputStream();

    public JsonListScanner(Path shard, ByteSource source, FieldSelection fields) {
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
        byte[] window = new byte[WINDOW_BYTES];
        long offset = 0;
        while (offset < length) {
            int read = source.read(offset, MemorySegment.ofArray(window));
            if (read == 0) {
                break;
            }
            for (int i = 0; i < read; i++) {
                step(window[i], offset + i, samples, sink);
            }
            offset += read;
            sink.progress(offset);
        }
        if (state != State.AFTER_LIST) {
            if (state == State.BEFORE_LIST) {
                throw new BadShard(shard, Reason.BAD_JSON, "no JSON list");
            }
            sink.skip(
                    new Skip(
                            Reason.TRUNCATED,
                            "element " + number,
                            state == State.BETWEEN ? offset : elementOffset,
                            "the file ends before the list does"));
        }
        return length;
    }

    private void step(byte b, long offset, JsonSamples samples, SampleSink sink)
            throws IOException {
        switch (state) {
            case BEFORE_LIST -> begin(b, offset);
            case BETWEEN -> between(b, offset, sink);
            case ELEMENT -> inside(b, samples, sink);
            case STRING -> {
                keep(b);
                if (b == '"') {
                    state = State.ELEMENT;
                } else if (b == '\\') {
                    state = State.ESCAPE;
                }
            }
            case ESCAPE -> {
                keep(b);
                state = State.STRING;
            }
            case AFTER_LIST -> {
                // what follows the list is no part of it
            }
        }
    }

    private void begin(byte b, long offset) throws IOException {
        boolean mark = offset < 3 && (b == (byte) 0xef || b == (byte) 0xbb || b == (byte) 0xbf);
        if (b == '[') {
            state = State.BETWEEN;
        } else if (!mark && !isBlank(b)) {
            throw new BadShard(
                    shard,
                    Reason.BAD_JSON,
                    "begins with '%c' where a list '[' or lines of objects '{' are needed"
                            .formatted((char) (b & 0xff)));
        }
    }

    private void between(byte b, long offset, SampleSink sink) {
        if (b == ']') {
            state = State.AFTER_LIST;
        } else if (b == '{') {
            element.reset();
            elementOffset = offset;
            depth = 1;
            keep(b);
            state = State.ELEMENT;
        } else if (b != ',' && !isBlank(b)) {
            sink.skip(
                    new Skip(
                            Reason.BAD_JSON,
                            "element " + number,
                            offset,
                            "an element that is no object"));
            element.reset();
            elementOffset = -1;
            depth = 0;
            state = b == '"' ? State.STRING : State.ELEMENT;
            if (b == '[') {
                depth = 1;
            }
        }
    }

    private void inside(byte b, JsonSamples samples, SampleSink sink) throws IOException {
        if (depth == 0 && (b == ',' || b == ']')) {
            number++;
            state = b == ',' ? State.BETWEEN : State.AFTER_LIST;
            return;
        }
        keep(b);
        switch (b) {
            case '"' -> state = State.STRING;
            case '{', '[' -> depth++;
            case '}', ']' -> {
                depth--;
                if (depth == 0) {
                    give(samples, sink);
                    number++;
                    state = State.BETWEEN;
                }
            }
            default -> {
                // a number, a word or a blank
            }
        }
    }

    private void keep(byte b) {
        if (elementOffset >= 0 && element.size() <= JsonLinesScanner.MAX_LINE_BYTES) {
            element.write(b);
        }
    }

    private void give(JsonSamples samples, SampleSink sink) throws IOException {
        if (elementOffset < 0) {
            return;
        }
        String name = "element " + number;
        if (element.size() > JsonLinesScanner.MAX_LINE_BYTES) {
            sink.skip(
                    new Skip(
                            Reason.TOO_LONG,
                            name,
                            elementOffset,
                            "more than %d bytes".formatted(JsonLinesScanner.MAX_LINE_BYTES)));
        } else {
            samples.take(name, elementOffset, element.toByteArray());
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
