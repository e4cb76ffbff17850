package io.headrace.engine.recipe;

import io.headrace.engine.descriptor.MediaKind;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From bytes to tensors.
 *
 * @param applyOrientation whether pictures are turned upright by their EXIF orientation
 * @param maxImagePixels pictures above it are refused before allocation
 */
public record ProcessSpec(
        Model model,
        Quality quality,
        Wire wire,
        Alpha alpha,
        boolean applyOrientation,
        long maxImagePixels,
        TextSpec text) {

    /** The processor whose values are given, with its own settings. */
    public sealed interface Model {
        /** CLIPImageProcessor: short side resized, centre crop, bicubic. */
        record Clip(int side) implements Model {}

        /** SiglipImageProcessor: resized to a square, bicubic. */
        record Siglip(int side) implements Model {}

        /** Siglip2ImageProcessor: NaFlex, at most {@code maxPatches} patches of {@code patch} pixels, bilinear. */
        record Siglip2(int patch, int maxPatches) implements Model {}

        /**
         * Qwen2VLImageProcessor and Qwen2VLVideoProcessor: patches of 14, merged by 2, at native resolution within the pixel bounds of a
         * picture or a frame, bicubic.
         */
        record Qwen25Vl(long minPixels, long maxPixels, VideoSpec video) implements Model {}

        /**
         * Qwen2VLImageProcessor and Qwen3VLVideoProcessor as Qwen3-VL sets them: patches of 16, merged by 2, at native resolution within
         * the pixel bounds of a picture or of all frames of a video together, bicubic.
         */
        record Qwen3Vl(long minPixels, long maxPixels, VideoSpec video) implements Model {}

        /**
         * GotOcr2ImageProcessor as InternVL3 sets it: tiles of 448 in the grid nearest in aspect, and the whole picture behind them, bicubic.
         *
         * @param maxTiles most tiles of a grid; the whole picture is one more
         */
        record InternVl(int maxTiles) implements Model {}

        /**
         * LlavaOnevisionImageProcessor and LlavaOnevisionVideoProcessor as the published models have them: squares of 384, a picture alone in
         * its sample on a canvas of up to 6 x 6 of them, bicubic.
         *
         * @param frames of a video, at even distances
         */
        record LlavaOnevision(int frames) implements Model {}

        /** VideoMAEVideoProcessor: frames at even distances, short side resized, centre crop, bilinear. */
        record VideoMae(int frames, int side) implements Model {}

        /**
         * Input of a video diffusion model: the bucket nearest in aspect, resized to cover it, centre crop, bicubic, -1 to 1, channels
         * first; a picture is a video of one frame.
         *
         * @param buckets sizes, rate and lengths that a published model was trained with
         * @param sizes in place of those of the buckets; empty: theirs
         * @param rate frames a second; 0: theirs
         * @param minFrames shorter videos are refused; 0: theirs
         * @param maxFrames longer videos are cut; 0: theirs
         */
        record VideoDiffusion(
                Buckets buckets, List<FrameSize> sizes, double rate, int minFrames, int maxFrames)
                implements Model {
            /** Pixels that a position of the transformer covers, down and across: sides are multiples of it. */
            public static final int POSITION_SIDE = 16;

            public VideoDiffusion {
                sizes = List.copyOf(sizes);
            }
        }

        /**
         * WhisperFeatureExtractor: log-mel of 30 s.
         *
         * @param bands 80, or 128 for large-v3
         */
        record Whisper(int bands, Downmix downmix) implements Model {}

        /** WhisperFeatureExtractor with 128 bands, and places for sound in the text. */
        record Qwen2Audio(Downmix downmix) implements Model {
            /** Mel bands of its features. */
            public static final int BANDS = 128;
        }

        /** No media are decoded. */
        record TextOnly() implements Model {}

        /** Kinds of media that it takes, in the order in which a sample shows them. */
        default List<MediaKind> kinds() {
            return switch (this) {
                case Clip _, Siglip _, Siglip2 _, InternVl _ -> List.of(MediaKind.IMAGE);
                case Qwen25Vl _, Qwen3Vl _, LlavaOnevision _ ->
                        List.of(MediaKind.IMAGE, MediaKind.VIDEO);
                case VideoMae _ -> List.of(MediaKind.VIDEO);
                case VideoDiffusion _ -> List.of(MediaKind.IMAGE, MediaKind.VIDEO);
                case Whisper _, Qwen2Audio _ -> List.of(MediaKind.AUDIO);
                case TextOnly _ -> List.of();
            };
        }
    }

    /**
     * Which frames of a video are taken, and how large they become.
     *
     * @param rate frames a second; not asked where {@code frames} is positive
     * @param frames so many at even distances, whatever the rate; 0: by rate
     * @param minFrames at least so many, where by rate
     * @param maxFrames at most so many, where by rate
     * @param minPixels smaller frames are enlarged; of Qwen3-VL the pixels of all frames together
     * @param maxPixels larger frames are reduced, likewise
     * @param maxTokens {@code max_video_tokens} of {@code cap_pixels_per_frame}; 0: no cap
     */
    public record VideoSpec(
            double rate,
            int frames,
            int minFrames,
            int maxFrames,
            long minPixels,
            long maxPixels,
            long maxTokens) {

        /** Two frames a second within the bounds of Qwen2VLVideoProcessor. */
        public static final VideoSpec QWEN2_5 =
                new VideoSpec(2, 0, 4, 768, 128 * 28 * 28, 768 * 28 * 28, 0);

        /** Two frames a second within the bounds of the published Qwen3-VL, which are pixels of all frames together. */
        public static final VideoSpec QWEN3 = new VideoSpec(2, 0, 4, 768, 4096, 25_165_824, 0);
    }

    /** Published video diffusion models by what they are trained on; {@code _480P} and the like are their sizes. */
    public enum Buckets {
        WAN_480P,
        WAN_720P,
        HUNYUAN_540P,
        HUNYUAN_720P,
        COGVIDEOX,
        COGVIDEOX_1_5,
        OPEN_SORA_256,
        OPEN_SORA_768
    }

    /** Width and height of a frame in pixels. */
    public record FrameSize(int width, int height) {}

    public enum Quality {
        /** Bit-equal to the Hugging Face processor. */
        EXACT,
        /** JPEG may be decoded at a reduced DCT scale. */
        FAST
    }

    /** Element type of {@code pixel_values}; UINT8 carries the levels before normalisation. */
    public enum Wire {
        FLOAT32,
        BFLOAT16,
        UINT8
    }

    /** How several channels of sound become one. */
    public enum Downmix {
        /** {@code (L + R) / sqrt(2)}, as FFmpeg and torchcodec have it: 3 dB louder for the same sound on both. */
        POWER,
        /** The mean of left and right, as soundfile and librosa have it. */
        MEAN
    }

    /** What lies behind a transparent picture: white, as {@code do_convert_rgb} has it, or nothing, as {@code convert("RGB")}. */
    public enum Alpha {
        WHITE,
        DROP
    }

    /**
     * How text becomes ids.
     *
     * @param tokenizer a {@code tokenizer.json}; null: no ids
     * @param maxTokens of a sample; the length of a row where pictures take no places in the text
     */
    public record TextSpec(@Nullable Path tokenizer, Template template, int maxTokens) {}

    /** How a caption or conversation is written before it is tokenized. */
    public enum Template {
        PLAIN,
        CHATML
    }
}
