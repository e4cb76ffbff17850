package io.headrace.engine.descriptor;

import java.util.List;

/** All that is known of a sample without its payload. Parts keep the order in which the sample shows them. */
public record Descriptor(SampleRef sample, String key, List<Part> parts) {
    public Descriptor {
        parts = List.copyOf(parts);
    }

    /** The pictures, in order. */
    public List<Part.Image> images() {
        return parts.stream()
                .filter(Part.Image.class::isInstance)
                .map(Part.Image.class::cast)
                .toList();
    }

    /** The videos, in order. */
    public List<Part.Video> videos() {
        return parts.stream()
                .filter(Part.Video.class::isInstance)
                .map(Part.Video.class::cast)
                .toList();
    }

    /** The recordings, in order. */
    public List<Part.Audio> audios() {
        return parts.stream()
                .filter(Part.Audio.class::isInstance)
                .map(Part.Audio.class::cast)
                .toList();
    }
}
