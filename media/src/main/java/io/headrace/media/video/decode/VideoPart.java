package io.headrace.media.video.decode;

/**
 * Wanted frames that one decoder decodes, places {@code from} up to {@code end} among all that are wanted.
 *
 * @param packets how many packets that takes: its cost
 */
public record VideoPart(int from, int end, int packets) {
    public VideoPart {
        if (from < 0 || end < from || packets < 0) {
            throw new IllegalArgumentException(
                    "Part of frames %d to %d in %d packets".formatted(from, end, packets));
        }
    }

    public int frames() {
        return end - from;
    }
}
