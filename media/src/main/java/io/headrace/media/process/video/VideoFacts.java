package io.headrace.media.process.video;

import io.headrace.media.video.VideoFile;

/**
 * What a layout is made from: numbers that an index holds, so that shapes are known before the payload is read.
 *
 * @param uprightWidth width in pixels of a frame as it is shown
 * @param uprightHeight height in pixels
 * @param frames how many are shown
 * @param meanRate frames a second; 0 if they take no time
 */
public record VideoFacts(int uprightWidth, int uprightHeight, int frames, double meanRate) {
    public VideoFacts {
        if (uprightWidth <= 0 || uprightHeight <= 0 || frames < 0 || !(meanRate >= 0)) {
            throw new IllegalArgumentException(
                    "Video of %d x %d with %d frames, %s a second"
                            .formatted(uprightWidth, uprightHeight, frames, meanRate));
        }
    }

    /** A picture, as a video of one frame that takes no time. */
    public static VideoFacts picture(int uprightWidth, int uprightHeight) {
        return new VideoFacts(uprightWidth, uprightHeight, 1, 0);
    }

    public static VideoFacts of(VideoFile video) {
        return new VideoFacts(
                video.uprightWidth(),
                video.uprightHeight(),
                video.index().size(),
                video.index().meanRate());
    }
}
