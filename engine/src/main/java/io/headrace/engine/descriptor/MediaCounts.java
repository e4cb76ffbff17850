package io.headrace.engine.descriptor;

import java.util.Collections;
import java.util.List;

/** How many parts of each kind of media a sample has. */
public record MediaCounts(int images, int videos, int audios) {
    public static final MediaCounts NONE = new MediaCounts(0, 0, 0);

    /** The counts of some parts; texts do not count. */
    public static MediaCounts of(List<Part> parts) {
        int images = 0;
        int videos = 0;
        int audios = 0;
        for (Part part : parts) {
            switch (part) {
                case Part.Image _ -> images++;
                case Part.Video _ -> videos++;
                case Part.Audio _ -> audios++;
                case Part.Text _ -> {}
            }
        }
        return new MediaCounts(images, videos, audios);
    }

    /** Counts kinds. */
    public static MediaCounts ofKinds(List<MediaKind> kinds) {
        return new MediaCounts(
                Collections.frequency(kinds, MediaKind.IMAGE),
                Collections.frequency(kinds, MediaKind.VIDEO),
                Collections.frequency(kinds, MediaKind.AUDIO));
    }

    /** So many pictures and nothing else. */
    public static MediaCounts ofImages(int images) {
        return new MediaCounts(images, 0, 0);
    }

    public int of(MediaKind kind) {
        return switch (kind) {
            case IMAGE -> images;
            case VIDEO -> videos;
            case AUDIO -> audios;
        };
    }

    public int total() {
        return images + videos + audios;
    }
}
