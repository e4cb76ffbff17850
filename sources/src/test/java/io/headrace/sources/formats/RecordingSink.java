package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.descriptor.Part;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Keeps what a scan gives, with the whole payload of each part as text. A picture's size is its length, and empty ones are bad. */
public final class RecordingSink implements SampleSink {

    /** A sample and the payloads of its parts. */
    public record Sample(String key, List<Part> parts) {
        public List<String> fields() {
            return parts.stream().map(Part::field).toList();
        }
    }

    private final List<Sample> samples = new ArrayList<>();
    private final List<Skip> skips = new ArrayList<>();
    private final List<String> payloads = new ArrayList<>();
    private final List<String> hexPayloads = new ArrayList<>();

    public List<Sample> samples() {
        return samples;
    }

    public List<String> keys() {
        return samples.stream().map(Sample::key).toList();
    }

    public List<Skip> skips() {
        return skips;
    }

    /** Payloads in upper-case hexadecimal. */
    public List<String> hexPayloads() {
        return hexPayloads;
    }

    /** Payloads in the order in which they were looked at. */
    public List<String> payloads() {
        return payloads;
    }

    @Override
    public Part.Image media(MediaKind kind, String field, Location location, Payload payload)
            throws BadPayload, IOException {
        String text = read(payload);
        if (text.isEmpty()) {
            throw new BadPayload(BadPayload.Reason.EMPTY, "0 bytes");
        }
        return new Part.Image(field, location, Codec.JPEG, text.length(), 1, Orientation.UPRIGHT);
    }

    @Override
    public TextDraft text(String field, Location location, Codec codec, Payload payload)
            throws IOException {
        int length = read(payload).length();
        return pictures -> new Part.Text(field, location, codec, length, false);
    }

    private String read(Payload payload) throws IOException {
        byte[] bytes = new byte[(int) payload.lengthBytes()];
        if (payload.read(0, bytes, bytes.length) < bytes.length) {
            throw new EOFException();
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        payloads.add(text);
        hexPayloads.add(HexFormat.of().withUpperCase().formatHex(bytes));
        return text;
    }

    @Override
    public void sample(String key, List<Part> parts) {
        samples.add(new Sample(key, List.copyOf(parts)));
    }

    @Override
    public void skip(Skip skip) {
        skips.add(skip);
    }

    @Override
    public void progress(long shardBytes) {}
}
