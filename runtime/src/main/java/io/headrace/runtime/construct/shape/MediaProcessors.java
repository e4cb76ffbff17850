package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.media.process.ImageProcessor;
import io.headrace.media.process.ImageProcessors;
import io.headrace.media.process.video.VideoModels;
import io.headrace.media.process.video.VideoProcessor;
import io.headrace.media.process.video.VideoProcessors;
import org.jspecify.annotations.Nullable;

/**
 * The processors of a recipe's model, for one thread.
 *
 * @param images null where the model takes no pictures
 * @param videos null where the model takes no videos
 */
public record MediaProcessors(@Nullable ImageProcessor images, @Nullable VideoProcessor videos) {

    /** The processors of a recipe. */
    public static MediaProcessors of(ProcessSpec process) {
        boolean pictures = process.model().kinds().contains(MediaKind.IMAGE);
        return new MediaProcessors(
                pictures ? ImageProcessors.create(process) : null,
                VideoModels.of(process.model())
                        .map(model -> VideoProcessors.create(model, process.wire()))
                        .orElse(null));
    }

    ImageProcessor neededImages() {
        if (images == null) {
            throw new IllegalStateException("The model takes no pictures");
        }
        return images;
    }

    VideoProcessor neededVideos() {
        if (videos == null) {
            throw new IllegalStateException("The model takes no videos");
        }
        return videos;
    }
}
