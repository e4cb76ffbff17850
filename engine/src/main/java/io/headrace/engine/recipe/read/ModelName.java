package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.ProcessSpec.VideoSpec;
import java.util.List;

/**
 * The processors by name, with what their Hugging Face classes and published checkpoints have as defaults.
 *
 * <p>Sides, patches and pixel bounds are those of CLIPImageProcessor, SiglipImageProcessor, Siglip2ImageProcessor,
 * Qwen2VLImageProcessor, Qwen2VLVideoProcessor and VideoMAEVideoProcessor; token counts are the lengths that the text towers were trained with.
 */
enum ModelName {
    CLIP(77, "plain", "CLIPImageProcessor: short side resized, centre crop"),
    SIGLIP(64, "plain", "SiglipImageProcessor: resized to a square"),
    SIGLIP2(
            64,
            "plain",
            "Siglip2ImageProcessor (NaFlex): patches at the picture's own aspect, padded"),
    QWEN2_5_VL(
            2048,
            "chatml",
            "Qwen2VLImageProcessor, Qwen2VLVideoProcessor: patches at the picture's own size within"
                    + " bounds"),
    QWEN3_VL(
            20_480,
            "chatml",
            "Qwen2VLImageProcessor, Qwen3VLVideoProcessor: patches of 16 at the picture's own size within"
                    + " bounds"),
    INTERNVL(
            8192,
            "chatml",
            "GotOcr2ImageProcessor of InternVL3: tiles of 448 and the whole picture"),
    LLAVA_ONEVISION(
            32_768,
            "chatml",
            "LlavaOnevisionImageProcessor, LlavaOnevisionVideoProcessor: squares of 384, a picture of"
                    + " its own in tiles (anyres_max_9)"),
    VIDEOMAE(
            77,
            "plain",
            "VideoMAEVideoProcessor: frames at even distances, short side resized, centre crop"),
    VIDEO_DIFFUSION(
            512,
            "plain",
            "input of Wan, HunyuanVideo, CogVideoX, Open-Sora and the like: buckets of sizes, a"
                    + " multiple of 4 and one frames, -1 to 1"),
    WHISPER(448, "plain", "WhisperFeatureExtractor: log-mel of 30 s"),
    QWEN2_AUDIO(
            2048,
            "chatml",
            "WhisperFeatureExtractor with 128 bands, and places for the sound among the text"),
    TEXT(2048, "plain", "no media are decoded");

    static final int SIDE = 224;
    static final int PATCH = 16;
    static final int MAX_PATCHES = 256;
    static final long MIN_PIXELS = 56 * 56;
    static final long MAX_PIXELS = 28 * 28 * 1280;

    static final long QWEN3_MIN_PIXELS = 256 * 256;
    static final long QWEN3_MAX_PIXELS = 4096 * 4096;
    static final int MAX_TILES = 12;

    /** Tokens of a tile of InternVL. */
    static final long TILE_TOKENS = 256;

    /** Pixels under one token of Qwen2.5-VL: patches of 14 merged 2 by 2. */
    static final long TOKEN_PIXELS = 28 * 28;

    /** Pixels under one token of Qwen3-VL: patches of 16 merged 2 by 2. */
    static final long QWEN3_TOKEN_PIXELS = 32 * 32;

    private final int maxTokens;
    private final String template;
    private final String doc;

    ModelName(int maxTokens, String template, String doc) {
        this.maxTokens = maxTokens;
        this.template = template;
        this.doc = doc;
    }

    int maxTokens() {
        return maxTokens;
    }

    String template() {
        return template;
    }

    /** Keys of {@code process.image} that mean something for it. */
    List<String> imageKeys() {
        return switch (this) {
            case CLIP, SIGLIP -> List.of("side");
            case SIGLIP2 -> List.of("patch", "max_patches");
            case QWEN2_5_VL, QWEN3_VL -> List.of("min_pixels", "max_pixels");
            case INTERNVL -> List.of("max_tiles");
            case LLAVA_ONEVISION, VIDEOMAE, VIDEO_DIFFUSION, WHISPER, QWEN2_AUDIO, TEXT ->
                    List.of();
        };
    }

    /** Keys of {@code process.video} that mean something for it. */
    List<String> videoKeys() {
        return switch (this) {
            case QWEN2_5_VL, QWEN3_VL ->
                    List.of(
                            "fps",
                            "frames",
                            "min_frames",
                            "max_frames",
                            "min_pixels",
                            "max_pixels",
                            "max_video_tokens");
            case LLAVA_ONEVISION -> List.of("frames");
            case VIDEOMAE -> List.of("frames", "side");
            case VIDEO_DIFFUSION -> List.of("buckets", "sizes", "fps", "min_frames", "max_frames");
            case CLIP, SIGLIP, SIGLIP2, INTERNVL, WHISPER, QWEN2_AUDIO, TEXT -> List.of();
        };
    }

    /** Keys of {@code process.audio} that mean something for it. */
    List<String> audioKeys() {
        return switch (this) {
            case WHISPER -> List.of("bands", "downmix");
            case QWEN2_AUDIO -> List.of("downmix");
            case CLIP,
                    SIGLIP,
                    SIGLIP2,
                    QWEN2_5_VL,
                    QWEN3_VL,
                    INTERNVL,
                    LLAVA_ONEVISION,
                    VIDEOMAE,
                    VIDEO_DIFFUSION,
                    TEXT ->
                    List.of();
        };
    }

    /** The default of a key of {@code process.audio}. */
    static String audioDefault(String key) {
        return switch (key) {
            case "bands" -> "80";
            case "downmix" -> "power";
            default -> throw new IllegalArgumentException("No key of process.audio: " + key);
        };
    }

    String doc() {
        return doc;
    }

    /** Whether several samples can share a row. */
    boolean packs() {
        return switch (this) {
            case QWEN2_5_VL, QWEN3_VL, INTERNVL, LLAVA_ONEVISION, QWEN2_AUDIO, TEXT -> true;
            case CLIP, SIGLIP, SIGLIP2, VIDEOMAE, VIDEO_DIFFUSION, WHISPER -> false;
        };
    }

    /** The default of a key of {@code process.video}. */
    String videoDefault(String key) {
        if (this == VIDEO_DIFFUSION && !key.equals("buckets")) {
            return "of its buckets";
        }
        return switch (key) {
            case "buckets" -> "wan_480p";
            case "fps" -> "2";
            case "frames" ->
                    switch (this) {
                        case VIDEOMAE -> "16";
                        case LLAVA_ONEVISION -> "32";
                        default -> "0";
                    };
            case "min_frames" -> "" + VideoSpec.QWEN2_5.minFrames();
            case "max_frames" -> "" + VideoSpec.QWEN2_5.maxFrames();
            case "min_pixels" ->
                    "" + (this == QWEN3_VL ? VideoSpec.QWEN3 : VideoSpec.QWEN2_5).minPixels();
            case "max_pixels" ->
                    "" + (this == QWEN3_VL ? VideoSpec.QWEN3 : VideoSpec.QWEN2_5).maxPixels();
            case "max_video_tokens" -> "0";
            case "side" -> "" + SIDE;
            default -> throw new IllegalArgumentException("No key of process.video: " + key);
        };
    }

    /** The default of a key of {@code process.image}. */
    String imageDefault(String key) {
        return switch (key) {
            case "side" -> "" + SIDE;
            case "patch" -> "" + PATCH;
            case "max_patches" -> "" + MAX_PATCHES;
            case "min_pixels" -> "" + (this == QWEN3_VL ? QWEN3_MIN_PIXELS : MIN_PIXELS);
            case "max_pixels" -> "" + (this == QWEN3_VL ? QWEN3_MAX_PIXELS : MAX_PIXELS);
            case "max_tiles" -> "" + MAX_TILES;
            default -> throw new IllegalArgumentException("No key of process.image: " + key);
        };
    }
}
