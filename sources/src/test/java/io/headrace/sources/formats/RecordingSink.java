package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.Orientation;
import io.headrace.engine.descriptor.Part;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

    public List<Sample> samples() {
        return samples;
    }

    public List<String> keys() {
        return samples.stream().map(Sample::key).toList();
    }

    public List<Skip> skips() {
        return skips;
    }

    /** Payloads in the order in which they were looked at. */
    public List<String> payloads() {
        return payloads;
    }

    @Override
    public Part.Image image(String field, Location location, Payload payload)
            throws BadPayload, IOException {
        String text = read(payload);
        if (text.isEmpty()) {
            throw new BadPayload(BadPayload.Reason.EMPTY, "0 bytes");
        }
        return new Part.Image(field, location, Codec.JPEG, text.length(), 1, Orientation.UPRIGHT);
    }

    @Override
    public Part.Text text(String field, Location location, Codec codec, Payload payload)
            throws IOException {
        return new Part.Text(field, location, codec, read(payload).length(), false);
    }

    private String read(Payload payload) throws IOException {
        byte[] bytes = payload.head(payload.lengthBytes()).toArray(ValueLayout.JAVA_BYTE);
        String text = new String(bytes, StandardCharsets.UTF_8);
        payloads.add(text);
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
