package io.headrace.media.process.video;

import io.headrace.engine.recipe.ProcessSpec.Model;
import java.util.List;

/**
 * The sizes and lengths that a video diffusion model is trained on, so that videos of one bucket make a batch.
 *
 * @param sizes of a frame
 * @param rate frames a second that are taken
 * @param leastFrames shorter videos are refused
 * @param mostFrames longer videos are cut
 * @param timeStride frames that one step of the latent holds; lengths are a multiple of it and one more, as the first frame stands alone
 * @param latentStride pixels that one position of the latent holds, down and across
 * @param patch positions of the latent that a token of the transformer holds, down and across
 */
public record SizeBuckets(
        List<Size> sizes,
        double rate,
        int leastFrames,
        int mostFrames,
        int timeStride,
        int latentStride,
        int patch) {

    /** Wan 2.1 and 2.2 (14B): up to 81 frames at 16 a second. */
    public static final SizeBuckets WAN_480P =
            causal(16, 81, size(832, 480), size(480, 832), size(624, 624));

    public static final SizeBuckets WAN_720P =
            causal(16, 81, size(1280, 720), size(720, 1280), size(960, 960));

    /** HunyuanVideo: up to 129 frames at 24 a second. */
    public static final SizeBuckets HUNYUAN_540P =
            causal(
                    24,
                    129,
                    size(960, 544),
                    size(544, 960),
                    size(832, 624),
                    size(624, 832),
                    size(720, 720));

    public static final SizeBuckets HUNYUAN_720P =
            causal(
                    24,
                    129,
                    size(1280, 720),
                    size(720, 1280),
                    size(1104, 832),
                    size(832, 1104),
                    size(960, 960));

    /** CogVideoX 2B and 5B: up to 49 frames at 8 a second. */
    public static final SizeBuckets COG_VIDEO_X = causal(8, 49, size(720, 480));

    /** CogVideoX 1.5 5B: up to 81 frames at 16 a second. */
    public static final SizeBuckets COG_VIDEO_X_1_5 =
            causal(16, 81, size(1360, 768), size(768, 1360));

    /** Open-Sora 2 at 256px, the sizes of its get_aspect_ratios_dict: up to 129 frames at 24 a second. */
    public static final SizeBuckets OPEN_SORA_256 =
            causal(
                    24,
                    129,
                    size(400, 160),
                    size(368, 176),
                    size(336, 192),
                    size(320, 208),
                    size(288, 224),
                    size(256, 256),
                    size(224, 288),
                    size(208, 320),
                    size(192, 336),
                    size(176, 368),
                    size(160, 400));

    /** Open-Sora 2 at 768px. */
    public static final SizeBuckets OPEN_SORA_768 =
            causal(
                    24,
                    129,
                    size(1184, 496),
                    size(1088, 544),
                    size(1056, 560),
                    size(1024, 576),
                    size(992, 592),
                    size(944, 624),
                    size(880, 672),
                    size(768, 768),
                    size(672, 880),
                    size(624, 944),
                    size(592, 992),
                    size(576, 1024),
                    size(560, 1056),
                    size(544, 1088),
                    size(496, 1184));

    /** Those that a recipe names, with what it changes. */
    public static SizeBuckets of(Model.VideoDiffusion model) {
        SizeBuckets named =
                switch (model.buckets()) {
                    case WAN_480P -> WAN_480P;
                    case WAN_720P -> WAN_720P;
                    case HUNYUAN_540P -> HUNYUAN_540P;
                    case HUNYUAN_720P -> HUNYUAN_720P;
                    case COGVIDEOX -> COG_VIDEO_X;
                    case COGVIDEOX_1_5 -> COG_VIDEO_X_1_5;
                    case OPEN_SORA_256 -> OPEN_SORA_256;
                    case OPEN_SORA_768 -> OPEN_SORA_768;
                };
        List<Size> sizes = model.sizes().stream().map(s -> size(s.width(), s.height())).toList();
        int most = model.maxFrames() > 0 ? model.maxFrames() : named.mostFrames();
        int least = model.minFrames() > 0 ? model.minFrames() : named.leastFrames();
        return new SizeBuckets(
                sizes.isEmpty() ? named.sizes() : sizes,
                model.rate() > 0 ? model.rate() : named.rate(),
                Math.min(least, most),
                most,
                named.timeStride(),
                named.latentStride(),
                named.patch());
    }

    public SizeBuckets {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty()
                || !(rate > 0)
                || timeStride < 1
                || leastFrames < 1
                || mostFrames < leastFrames
                || latentStride < 1
                || patch < 1) {
            throw new IllegalArgumentException(
                    "Buckets %s at %s a second, %d to %d frames of latents %d x %d, patches of %d"
                            .formatted(
                                    sizes,
                                    rate,
                                    leastFrames,
                                    mostFrames,
                                    timeStride,
                                    latentStride,
                                    patch));
        }
        int side = latentStride * patch;
        for (Size size : sizes) {
            if (size.width() <= 0
                    || size.width() % side != 0
                    || size.height() <= 0
                    || size.height() % side != 0) {
                throw new IllegalArgumentException(
                        "Bucket of %d x %d; sides must be multiples of %d"
                                .formatted(size.width(), size.height(), side));
            }
        }
    }

    /** Width and height in pixels. */
    public record Size(int width, int height) {
        double aspect() {
            return Math.log((double) width / height);
        }

        long pixels() {
            return (long) width * height;
        }
    }

    private static Size size(int width, int height) {
        return new Size(width, height);
    }

    /** Latents of 4 x 8 x 8 in patches of 2, which all of these models have; from 5 frames on. */
    private static SizeBuckets causal(double rate, int mostFrames, Size... sizes) {
        return new SizeBuckets(List.of(sizes), rate, 5, mostFrames, 4, 8, 2);
    }
}
