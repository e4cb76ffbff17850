package io.headrace.media.video;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The clips of the tests, and what PyAV says of each. */
public final class Videos {
    private static final List<Stream> TRUTH = readTruth();

    private Videos() {}

    /** What the reference says of one stream; {@code node} has the fields that truth.py writes. */
    public record Stream(String file, int index, JsonNode node) {
        public boolean isVideo() {
            return node.get("kind").asText().equals("video");
        }

        public boolean isMp4() {
            return file.endsWith(".mp4") || file.endsWith(".mov");
        }

        /** Whether FFmpeg's main stream of the kind is this one. */
        public boolean isBest() {
            return node.get("best").asBoolean();
        }

        public long[] ticks(String field) {
            JsonNode array = node.get(field);
            long[] ticks = new long[array.size()];
            for (int i = 0; i < ticks.length; i++) {
                ticks[i] = array.get(i).isNull() ? Long.MIN_VALUE : array.get(i).asLong();
            }
            return ticks;
        }

        @Override
        public String toString() {
            return file + ":" + index;
        }
    }

    public static List<Stream> streams() {
        return TRUTH;
    }

    /** The stream of a clip that has but one video stream. */
    public static Stream video(String file) {
        return TRUTH.stream()
                .filter(stream -> stream.file.equals(file) && stream.isBest())
                .findFirst()
                .orElseThrow();
    }

    /** Every clip once. */
    public static List<String> files() {
        return TRUTH.stream().map(Stream::file).distinct().toList();
    }

    /** The bytes of a clip such as {@code decord/video_90.mov}. */
    public static byte[] bytes(String file) {
        try (InputStream stream = Videos.class.getResourceAsStream("/videos/" + file)) {
            if (stream == null) {
                throw new IllegalArgumentException("No clip " + file);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JSON file beside the clips. */
    public static JsonNode json(String file) {
        try {
            return new ObjectMapper().readTree(bytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Stream> readTruth() {
        List<Stream> streams = new ArrayList<>();
        for (JsonNode node : json("truth.json")) {
            streams.add(new Stream(node.get("file").asText(), node.get("index").asInt(), node));
        }
        return streams;
    }
}
