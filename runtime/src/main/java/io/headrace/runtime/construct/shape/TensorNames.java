package io.headrace.runtime.construct.shape;

/** Names of the tensors of a microbatch: those of the Hugging Face processors where they have one. */
public final class TensorNames {

    /** The processor's pictures; shape by model. */
    public static final String PIXEL_VALUES = "pixel_values";

    /** int32 {@code [n, patches]}: 1 for patches of the picture, 0 for padding (NaFlex). */
    public static final String PIXEL_ATTENTION_MASK = "pixel_attention_mask";

    /** The features of recordings: {@code [recordings, bands, 3000]} (Whisper, Qwen2-Audio). */
    public static final String INPUT_FEATURES = "input_features";

    /** int32 {@code [recordings, 3000]}: 1 where the features hold sound, 0 where silence pads them. */
    public static final String FEATURE_ATTENTION_MASK = "feature_attention_mask";

    /** int64 {@code [n, 2]}: patches down and across (NaFlex). */
    public static final String SPATIAL_SHAPES = "spatial_shapes";

    /** int64 {@code [pictures]}: tiles of each picture, its whole among them (InternVL, LLaVA-OneVision). */
    public static final String NUM_PATCHES = "num_patches";

    /** int64 {@code [pictures, 2]}: height and width of each upright picture as stored (LLaVA-OneVision). */
    public static final String IMAGE_SIZES = "image_sizes";

    /** int64 {@code [n]}: pictures of each sample; of one that has several none is cut into tiles (LLaVA-OneVision). */
    public static final String BATCH_NUM_IMAGES = "batch_num_images";

    /** int64 {@code [pictures, 3]}: time, patches down, patches across (Qwen). */
    public static final String IMAGE_GRID_THW = "image_grid_thw";

    /** The processor's videos where pictures stand beside them: {@code [patches, 1176]} (Qwen2.5-VL), {@code [videos,
     * frames, 3, 384, 384]} (LLaVA-OneVision). */
    public static final String PIXEL_VALUES_VIDEOS = "pixel_values_videos";

    /**
     * int64 {@code [n, 4]}: channels, frames, height and width of each sample's values in {@code pixel_values}, which lie one behind the
     * other (diffusion); zeros for a sample without.
     */
    public static final String VIDEO_SHAPES = "video_shapes";

    /** int64 {@code [videos, 3]}: pairs of frames, patches down, patches across (Qwen). */
    public static final String VIDEO_GRID_THW = "video_grid_thw";

    /** float32 {@code [videos]}: seconds from one pair of frames to the next (Qwen2.5-VL). */
    public static final String SECOND_PER_GRID_TS = "second_per_grid_ts";

    /** uint8 {@code [video patches]}, or {@code [videos, frames]} of LLaVA-OneVision: as {@link #PATCH_VALID}. */
    public static final String VIDEO_PATCH_VALID = "video_patch_valid";

    /** uint8 {@code [patches]} or {@code [tiles]}: 0 for those of masked samples; only where the wire is uint8 (Qwen, InternVL,
     * LLaVA-OneVision). */
    public static final String PATCH_VALID = "patch_valid";

    /** int64 {@code [rows, length]}. */
    public static final String INPUT_IDS = "input_ids";

    /** int64 {@code [rows, length]}: 1 for tokens, 0 for padding. */
    public static final String ATTENTION_MASK = "attention_mask";

    /** int64 {@code [rows, length]}: the id where it is trained, else -100; not shifted. */
    public static final String LABELS = "labels";

    /** int64 {@code [rows, length]}, or {@code [3, rows, length]} for time, height and width. */
    public static final String POSITION_IDS = "position_ids";

    /** int32 {@code [rows, length]}: 1, 2 and so on for the samples of a pack, 0 for padding. */
    public static final String SEGMENT_IDS = "segment_ids";

    /** int32 {@code [sequences + 1]}: bounds of all sequences of the packs laid end to end, padding included. */
    public static final String CU_SEQLENS = "cu_seqlens";

    /** uint8 {@code [n]}: 0 for samples that are masked or only fill the batch. */
    public static final String SAMPLE_VALID = "sample_valid";

    /** int64 {@code [n, 2]}: source, and index within it. */
    public static final String SAMPLE_IDS = "sample_ids";

    /** int32 {@code [n, 3]}: row, first position in it, length in tokens. */
    public static final String SAMPLE_PLACES = "sample_places";

    private TensorNames() {}
}
