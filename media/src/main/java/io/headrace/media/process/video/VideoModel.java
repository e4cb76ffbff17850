package io.headrace.media.process.video;

/** The processor whose values are given, with its own settings. */
public sealed interface VideoModel {

    /**
     * Which frames a model takes, as the {@code fps} and {@code num_frames} of the Hugging Face processors.
     *
     * @param rate frames a second; not asked where {@code count} is positive
     * @param count how many frames, whatever the rate; 0: by rate
     * @param least at least so many, where by rate
     * @param most at most so many, where by rate
     */
    record Sampling(double rate, int count, int least, int most) {
        public Sampling {
            if (count < 0 || least < 1 || most < least || (count == 0 && !(rate > 0))) {
                throw new IllegalArgumentException(
                        "Sampling at %s a second, of %d frames, from %d to %d"
                                .formatted(rate, count, least, most));
            }
        }

        /** By rate, within the bounds of the Qwen processors. */
        public static Sampling atRate(double rate, int least, int most) {
            return new Sampling(rate, 0, least, most);
        }

        public static Sampling ofCount(int count) {
            return new Sampling(0, count, 1, count);
        }
    }

    /**
     * Qwen2VLVideoProcessor, which Qwen2.5-VL uses too: patches of 14, merged by 2, pairs of frames.
     *
     * @param minPixels least pixels of a frame
     * @param maxPixels most pixels of a frame
     * @param maxTokens {@code max_video_tokens} of {@code cap_pixels_per_frame}: of a context, nine tenths of which are shared out among
     *     the frames; 0: no cap
     */
    record Qwen25Vl(Sampling sampling, long minPixels, long maxPixels, long maxTokens)
            implements VideoModel {
        /** Without a cap on all frames together. */
        public Qwen25Vl(Sampling sampling, long minPixels, long maxPixels) {
            this(sampling, minPixels, maxPixels, 0);
        }
    }

    /**
     * Qwen3VLVideoProcessor: patches of 16, merged by 2, pairs of frames.
     *
     * @param minPixels least pixels of all frames together
     * @param maxPixels most pixels of all frames together
     * @param maxTokens {@code max_video_tokens} of {@code cap_pixels_per_frame}: most of a frame; 0: no cap
     */
    record Qwen3Vl(Sampling sampling, long minPixels, long maxPixels, long maxTokens)
            implements VideoModel {
        /** Without a cap on a single frame. */
        public Qwen3Vl(Sampling sampling, long minPixels, long maxPixels) {
            this(sampling, minPixels, maxPixels, 0);
        }
    }

    /** VideoMAEVideoProcessor: frames at even distances, short side resized, centre crop, bilinear. */
    record VideoMae(int frames, int side) implements VideoModel {}

    /** LlavaOnevisionVideoProcessor with the normalisation of SigLIP: frames at even distances, resized to a square, bicubic. */
    record LlavaOnevision(int frames, int side) implements VideoModel {}

    /**
     * Input of a video diffusion model: nearest bucket, resized to cover it, centre crop, bicubic, -1 to 1, channels first.
     */
    record Diffusion(SizeBuckets buckets) implements VideoModel {}
}
