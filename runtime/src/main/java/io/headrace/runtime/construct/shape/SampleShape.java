package io.headrace.runtime.construct.shape;

import io.headrace.engine.cost.Features;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.media.process.ImageLayout;
import io.headrace.media.process.audio.AudioLayout;
import io.headrace.media.process.video.FrameTimes;
import io.headrace.media.process.video.Grid;
import io.headrace.media.process.video.VideoLayout;
import io.headrace.media.text.MediaSize;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of one sample under a recipe's processor.
 *
 * @param images layouts of the pictures that the model takes, in order
 * @param videos layouts of its videos
 * @param audios layouts of its recordings
 * @param problem why the sample has no shape and is masked unread, such as a missing picture; null for a good one
 */
public record SampleShape(
        List<ImageLayout> images,
        List<VideoLayout> videos,
        List<AudioLayout> audios,
        Features features,
        @Nullable BadPayload problem) {
    /** {@code tokens_per_second} of Qwen2.5-VL's vision configuration as published. */
    private static final float TOKENS_PER_SECOND = 2;

    public SampleShape {
        images = List.copyOf(images);
        videos = List.copyOf(videos);
        audios = List.copyOf(audios);
    }

    /** A sample that is masked unread. */
    static SampleShape bad(Features features, BadPayload problem) {
        return new SampleShape(List.of(), List.of(), List.of(), features, problem);
    }

    /** What its media take in the sequence of a model that has places for them. */
    public List<MediaSize> sizes() {
        return Stream.of(
                        images.stream().map(MediaSize::of),
                        videos.stream().map(SampleShape::size),
                        audios.stream().map(SampleShape::size))
                .flatMap(sizes -> sizes)
                .toList();
    }

    /** One column of times; models that keep sound out of the text have no place to put it. */
    private static MediaSize size(AudioLayout layout) {
        return new MediaSize(MediaKind.AUDIO, layout.tokens(), 1, 1, 0);
    }

    /**
     * A video without a grid is one row of tokens. The size of a Qwen video: its grid merged by the square root of patches a token. The interval is tokens_per_second (2 in the
     * published checkpoints) times the seconds of a grid step, in float32 as {@code get_rope_index} has it.
     */
    private static MediaSize size(VideoLayout layout) {
        Grid grid = layout.grid();
        if (grid.equals(Grid.NONE)) {
            return new MediaSize(MediaKind.VIDEO, 1, 1, layout.tokens(), 0);
        }
        List<String> times = layout.times();
        int features = layout.tokens() - FrameTimes.tokens(times) - 2 * times.size();
        int merge = (int) Math.round(Math.sqrt((double) layout.patches() / features));
        return new MediaSize(
                MediaKind.VIDEO,
                grid.times(),
                grid.height() / merge,
                grid.width() / merge,
                TOKENS_PER_SECOND * (float) layout.secondsPerGrid(),
                times);
    }
}
