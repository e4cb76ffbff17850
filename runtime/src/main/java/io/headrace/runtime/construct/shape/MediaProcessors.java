package io.headrace.runtime.construct.shape;

import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.media.process.ImageProcessor;
import io.headrace.media.process.ImageProcessors;
import io.headrace.media.process.audio.AudioProcessor;
import io.headrace.media.process.video.VideoModels;
import io.headrace.media.process.video.VideoProcessor;
import io.headrace.media.process.video.VideoProcessors;
import org.jspecify.annotations.Nullable;

/**
 * The processors of a recipe's model, for one thread.
 *
 * @param images null where the model takes no pictures
 * @param videos null where the model takes no videos
 * @param audios null where the model takes no audio
 */
public record MediaProcessors(
        @Nullable ImageProcessor images,
        @Nullable VideoProcessor videos,
        @Nullable AudioProcessor audios) {

    /** The processors of a recipe. */
    public static MediaProcessors of(ProcessSpec process) {
        // A diffusion model takes a picture as a video of one frame.
        boolean pictures =
                process.model().kinds().contains(MediaKind.IMAGE)
                        && !(process.model() instanceof Model.VideoDiffusion);
        return new MediaProcessors(
                pictures ? ImageProcessors.create(process) : null,
                VideoModels.of(process.model())
                        .map(model -> VideoProcessors.create(model, process.wire()))
                        .orElse(null),
                audio(process));
    }

    private static @Nullable AudioProcessor audio(ProcessSpec process) {
        return switch (process.model()) {
            case Model.Whisper(int bands, _) -> new AudioProcessor(bands, process.wire());
            case Model.Qwen2Audio _ -> new AudioProcessor(Model.Qwen2Audio.BANDS, process.wire());
            case Model.Clip _,
                    Model.Siglip _,
                    Model.Siglip2 _,
                    Model.Qwen25Vl _,
                    Model.Qwen3Vl _,
                    Model.InternVl _,
                    Model.LlavaOnevision _,
                    Model.VideoMae _,
                    Model.VideoDiffusion _,
                    Model.TextOnly _ ->
                    null;
        };
    }

    AudioProcessor neededAudios() {
        if (audios == null) {
            throw new IllegalStateException("The model takes no audio");
        }
        return audios;
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
