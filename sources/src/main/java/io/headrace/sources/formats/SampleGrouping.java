package io.headrace.sources.formats;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.stores.NaturalOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes samples of members: those with the same key, whatever lies between them, as long as no more than {@link #MAX_OPEN} other
 * samples begin in between. A member that comes later than that is left out and named; it never makes a second sample. Samples are
 * given in the order of their first members. Not thread-safe.
 */
public final class SampleGrouping {

    /** Samples held open: about 2 MiB, and wide enough for writers that interleave their fields in blocks. */
    public static final int MAX_OPEN = 4096;

    private final FieldSelection fields;
    private final SampleSink sink;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final KeySet closed = new KeySet();

    public SampleGrouping(FieldSelection fields, SampleSink sink) {
        this.fields = fields;
        this.sink = sink;
    }

    /** A member of a sample: its parts so far, and what is wrong with it. */
    private static final class Open {
        private final Map<String, Part> media = new TreeMap<>(NaturalOrder.INSTANCE);
        private final Map<String, TextDraft> texts = new LinkedHashMap<>();
        private long offsetBytes;
        private @Nullable Skip failure;

        private void fail(Skip skip) {
            if (failure == null) {
                failure = skip;
            }
        }
    }

    /** Takes the next member. Its payload is looked at before this returns. */
    public void add(String member, Location location, long offsetBytes, Payload payload)
            throws IOException {
        MemberName name = MemberName.of(member);
        Open sample = open.get(name.key());
        if (sample == null) {
            if (closed.contains(name.key())) {
                sink.skip(
                        new Skip(
                                Reason.DUPLICATE_KEY,
                                member,
                                offsetBytes,
                                "comes more than %d samples after the other members of its sample; sort the shard by name"
                                        .formatted(MAX_OPEN)));
                return;
            }
            sample = new Open();
            sample.offsetBytes = offsetBytes;
            open.put(name.key(), sample);
            if (open.size() > MAX_OPEN) {
                closeFirst();
            }
        }
        describe(sample, member, name.field(), location, offsetBytes, payload);
    }

    private void describe(
            Open sample,
            String member,
            String field,
            Location location,
            long offsetBytes,
            Payload payload)
            throws IOException {
        try {
            String text = textField(field);
            Optional<MediaKind> kind = text == null ? fields.kindOf(field) : Optional.empty();
            if (kind.isPresent()) {
                keep(sample.media, field, sink.media(kind.get(), field, location, payload));
            } else if (text != null) {
                Codec codec = isJson(field) ? Codec.JSON : Codec.TEXT;
                String selected = selected(field, text);
                keep(sample.texts, text, sink.text(selected, location, codec, payload));
            }
        } catch (BadPayload e) {
            sample.fail(new Skip(e.reason(), member, offsetBytes, String.valueOf(e.getMessage())));
        }
    }

    private static String selected(String field, String text) {
        return text.equals(field)
                ? field
                : field + Part.Text.SELECTOR + text.substring(field.length() + 1);
    }

    private static <T> void keep(Map<String, T> parts, String field, T part) throws BadPayload {
        if (parts.putIfAbsent(field, part) != null) {
            throw new BadPayload(
                    Reason.DUPLICATE_MEMBER,
                    "the sample has two members of field '%s'".formatted(field));
        }
    }

    private static boolean isJson(String field) {
        return field.equals("json") || field.endsWith(".json");
    }

    /** The text alternative that a member is, or holds under a key, as {@code json.caption} does; null: none. */
    private @Nullable String textField(String field) {
        for (String text : fields.text()) {
            if (text.equals(field)) {
                return text;
            }
        }
        for (String text : fields.text()) {
            if (isJson(field) && text.startsWith(field + ".")) {
                return text;
            }
        }
        return null;
    }

    /** The payload of this member is cut: its sample is left out. */
    public void cut(String member, long offsetBytes, String detail) {
        MemberName name = MemberName.of(member);
        Skip skip = new Skip(Reason.TRUNCATED, member, offsetBytes, detail);
        Open sample = open.get(name.key());
        if (sample == null) {
            sink.skip(skip);
        } else {
            sample.failure = skip;
        }
    }

    /** Gives what is held. */
    public void finish() throws IOException {
        while (!open.isEmpty()) {
            closeFirst();
        }
    }

    private void closeFirst() throws IOException {
        Map.Entry<String, Open> first = open.entrySet().iterator().next();
        open.remove(first.getKey());
        closed.add(first.getKey());
        give(first.getKey(), first.getValue());
    }

    private void give(String key, Open sample) throws IOException {
        Skip failure = sample.failure;
        if (failure != null) {
            sink.skip(failure);
            return;
        }
        List<Part> parts = new ArrayList<>();
        String missing;
        try {
            missing = collect(sample, parts);
        } catch (BadPayload e) {
            String detail = String.valueOf(e.getMessage());
            sink.skip(new Skip(e.reason(), key, sample.offsetBytes, detail));
            return;
        }
        if (missing.isEmpty()) {
            sink.sample(key, parts);
        } else {
            sink.skip(
                    new Skip(Reason.MISSING_FIELD, key, sample.offsetBytes, "no field " + missing));
        }
    }

    /** Collects the parts in order; answers the fields that are missing, or nothing. */
    private String collect(Open sample, List<Part> parts) throws BadPayload {
        for (FieldSelection.Field entry : fields.media()) {
            Part part = first(entry.alternatives(), sample.media);
            if (part == null) {
                return String.join(" or ", entry.alternatives());
            }
            parts.add(part);
        }
        if (fields.anyMedia()) {
            parts.addAll(sample.media.values());
        }
        if (!fields.text().isEmpty()) {
            TextDraft text = first(fields.text(), sample.texts);
            if (text == null) {
                return String.join(" or ", fields.text());
            }
            parts.add(text.finish(MediaCounts.of(parts)));
        }
        return parts.isEmpty() ? "of " + kinds() : "";
    }

    private String kinds() {
        return fields.byName().stream()
                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" or "));
    }

    private static <T> @Nullable T first(List<String> alternatives, Map<String, T> parts) {
        for (String alternative : alternatives) {
            T part = parts.get(alternative);
            if (part != null) {
                return part;
            }
        }
        return null;
    }
}
