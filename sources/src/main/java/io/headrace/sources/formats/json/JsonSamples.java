package io.headrace.sources.formats.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.ArrayPayload;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.FilePayload;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.formats.TextDraft;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes samples of JSON objects, whether each stands on a line or in a list. Pictures are files, named relative to the list's folder;
 * the text is the object itself with the key to look at. An object without pictures is a sample of text alone.
 */
final class JsonSamples {

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private static final List<FieldSelection.Field> USUAL =
            List.of(
                    new FieldSelection.Field(MediaKind.IMAGE, List.of("image", "images")),
                    new FieldSelection.Field(MediaKind.VIDEO, List.of("video", "videos")),
                    new FieldSelection.Field(MediaKind.AUDIO, List.of("audio", "audios")));

    private final Path folder;
    private final FieldSelection fields;
    private final SampleSink sink;

    JsonSamples(Path list, FieldSelection fields, SampleSink sink) {
        Path parent = list.toAbsolutePath().getParent();
        this.folder = parent == null ? list : parent;
        this.fields = fields;
        this.sink = sink;
    }

    /**
     * Takes the bytes of one object.
     *
     * @param name what errors call it: its line or its place in the list
     * @param offsetBytes where it begins in the list
     */
    void take(String name, long offsetBytes, byte[] bytes) throws IOException {
        try {
            JsonNode object = parse(bytes);
            List<Part> parts = new ArrayList<>();
            addMedia(object, parts);
            if (!fields.text().isEmpty()) {
                parts.add(text(object, offsetBytes, bytes).finish(MediaCounts.of(parts)));
            }
            if (parts.isEmpty()) {
                throw new BadPayload(Reason.MISSING_FIELD, "no media");
            }
            JsonNode id = object.path("id");
            sink.sample(id.isValueNode() && !id.isNull() ? id.asText() : name, parts);
        } catch (BadPayload e) {
            sink.skip(new Skip(e.reason(), name, offsetBytes, String.valueOf(e.getMessage())));
        }
    }

    private static JsonNode parse(byte[] bytes) throws BadPayload, IOException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new BadPayload(Reason.BAD_ENCODING, "no UTF-8");
        }
        try {
            JsonNode node = JSON.readTree(bytes);
            if (!node.isObject()) {
                throw new BadPayload(
                        Reason.BAD_JSON, "%s and no object".formatted(node.getNodeType()));
            }
            if (hasSurrogateEscape(bytes)) {
                refuseLoneSurrogates(node);
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new BadPayload(Reason.BAD_JSON, e.getOriginalMessage());
        }
    }

    private static boolean hasSurrogateEscape(byte[] bytes) {
        for (int i = 0; i + 2 < bytes.length; i++) {
            if (bytes[i] == '\\' && bytes[i + 1] == 'u' && (bytes[i + 2] | 0x20) == 'd') {
                return true;
            }
        }
        return false;
    }

    private static void refuseLoneSurrogates(JsonNode node) throws BadPayload {
        if (node.isTextual() && !StandardCharsets.UTF_8.newEncoder().canEncode(node.textValue())) {
            throw new BadPayload(Reason.BAD_ENCODING, "half of a surrogate pair in a string");
        }
        for (JsonNode child : node) {
            refuseLoneSurrogates(child);
        }
    }

    private TextDraft text(JsonNode object, long offsetBytes, byte[] bytes)
            throws BadPayload, IOException {
        for (String key : fields.text()) {
            JsonNode value = at(object, key);
            if (value != null && !value.isNull()) {
                return sink.text(
                        Part.Text.SELECTOR + key,
                        new Location.Range(0, offsetBytes, bytes.length),
                        Codec.JSON,
                        new ArrayPayload(bytes, 0, bytes.length));
            }
        }
        throw new BadPayload(Reason.MISSING_FIELD, "no key " + String.join(" or ", fields.text()));
    }

    private void addMedia(JsonNode object, List<Part> parts) throws BadPayload, IOException {
        List<FieldSelection.Field> entries = fields.anyMedia() ? usual() : fields.media();
        for (FieldSelection.Field entry : entries) {
            for (String key : entry.alternatives()) {
                JsonNode value = at(object, key);
                if (value != null && !value.isNull()) {
                    addMedia(entry.kind(), key, value, parts);
                    break;
                }
            }
        }
        if (parts.isEmpty() && fields.text().isEmpty()) {
            throw new BadPayload(
                    Reason.MISSING_FIELD,
                    "no key "
                            + String.join(
                                    " or ",
                                    entries.stream()
                                            .flatMap(entry -> entry.alternatives().stream())
                                            .toList()));
        }
    }

    /** The value of a key, which may itself contain dots, or lead from object to object. */
    private static @Nullable JsonNode at(JsonNode object, String key) {
        if (object.has(key)) {
            return object.get(key);
        }
        JsonNode node = object;
        for (String step : key.split("\\.", -1)) {
            node = node.path(step);
        }
        return node.isMissingNode() ? null : node;
    }

    private List<FieldSelection.Field> usual() {
        return USUAL.stream().filter(entry -> fields.byName().contains(entry.kind())).toList();
    }

    private void addMedia(MediaKind kind, String key, JsonNode value, List<Part> parts)
            throws BadPayload, IOException {
        if (value.isArray()) {
            for (JsonNode element : value) {
                addMedia(kind, key, element, parts);
            }
        } else if (value.isObject() && value.path("path").isTextual()) {
            addMedia(kind, key, value.path("path"), parts);
        } else if (!value.isTextual()) {
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "'%s' is %s and no path".formatted(key, value.getNodeType()));
        } else if (!value.asText().isEmpty()) {
            parts.add(part(kind, key, value.asText()));
        }
    }

    private Part part(MediaKind kind, String key, String path) throws BadPayload, IOException {
        if (path.contains("://") || path.startsWith("data:")) {
            String start = path.substring(0, Math.min(12, path.length()));
            throw new BadPayload(
                    Reason.UNSUPPORTED,
                    "'%s' begins with '%s'; only files are read".formatted(key, start));
        }
        try (FilePayload payload = FilePayload.open(existing(path))) {
            return sink.media(
                    kind, key, new Location.File(0, path, payload.lengthBytes()), payload);
        } catch (NoSuchFileException e) {
            throw new BadPayload(Reason.MISSING_FILE, "no file " + e.getFile());
        }
    }

    private Path existing(String path) throws BadPayload {
        if (path.indexOf('\0') >= 0) {
            throw new BadPayload(Reason.MISSING_FILE, "a path with a NUL character");
        }
        Path file = folder.resolve(path);
        if (Files.isDirectory(file)) {
            throw new BadPayload(
                    Reason.NOT_A_REGULAR_FILE, "a folder where a file is needed: " + path);
        }
        return file;
    }
}
