package io.headrace.runtime.construct.shape;

import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.video.VideoLayout;

/**
 * Rows of the media tensors of some samples, where each tensor holds one medium after the other: how many there are, or where the next
 * sample's begin.
 *
 * @param pixelRows rows of {@code pixel_values} where the model takes patches
 * @param images pictures
 * @param videoRows rows of {@code pixel_values_videos} where the model takes patches
 * @param videos videos
 * @param videoElements values of the videos, where each has a size of its own
 * @param audios recordings
 */
public record MediaRows(
        int pixelRows, int images, int videoRows, int videos, long videoElements, int audios) {
    static final MediaRows NONE = new MediaRows(0, 0, 0, 0, 0, 0);

    /** The rows with those of another sample behind. */
    MediaRows plus(SampleShape shape) {
        return new MediaRows(
                pixelRows + shape.images().stream().mapToInt(ImageLayout::rows).sum(),
                images + shape.images().size(),
                videoRows + shape.videos().stream().mapToInt(VideoLayout::rows).sum(),
                videos + shape.videos().size(),
                videoElements + shape.videos().stream().mapToLong(VideoLayout::elements).sum(),
                audios + shape.audios().size());
    }
}
