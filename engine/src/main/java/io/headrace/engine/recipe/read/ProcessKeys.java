package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Buckets;
import io.headrace.engine.recipe.ProcessSpec.Downmix;
import io.headrace.engine.recipe.ProcessSpec.Quality;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.engine.recipe.ProcessSpec.VideoSpec;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Type.Choice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys of the section {@code process}. */
final class ProcessKeys {
    /** Pillow's own limit: twice its MAX_IMAGE_PIXELS, above which it refuses a picture. */
    static final long MAX_IMAGE_PIXELS = 178_956_970;

    static final Type.Section IMAGE =
            Type.Section.of(
                    image(
                            "side",
                            16,
                            4096,
                            "pixels",
                            "`clip`, `siglip`: width and height of the result."),
                    image("patch", 1, 256, "pixels", "`siglip2`: side of a patch."),
                    image(
                            "max_patches",
                            1,
                            65_536,
                            "patches",
                            "`siglip2`: patches of a picture, those that pad it included."),
                    image(
                            "min_pixels",
                            ModelName.TOKEN_PIXELS,
                            Integer.MAX_VALUE,
                            "pixels",
                            "`qwen2_5_vl`, `qwen3_vl`: smaller pictures are enlarged."),
                    image(
                            "max_pixels",
                            ModelName.TOKEN_PIXELS,
                            Integer.MAX_VALUE,
                            "pixels",
                            "`qwen2_5_vl`, `qwen3_vl`: larger pictures are reduced. A token stands for"
                                    + " 28 x 28 pixels, in `qwen3_vl` 32 x 32."),
                    image(
                            "max_tiles",
                            1,
                            64,
                            "tiles",
                            "`internvl`: most tiles of a picture; of several tiles the whole picture"
                                    + " follows as one more. A tile takes 256 tokens."));

    static final Type.Section VIDEO =
            Type.Section.of(
                    Key.derived(
                                    "buckets",
                                    Choice.of(
                                            Buckets.class,
                                            "832x480, 480x832, 624x624; to 81 frames at 16 a second",
                                            "1280x720, 720x1280, 960x960; likewise",
                                            "960x544, 832x624, 720x720 and upright; to 129 frames at 24",
                                            "1280x720, 1104x832, 960x960 and upright; likewise",
                                            "720x480; to 49 frames at 8",
                                            "1360x768, 768x1360; to 81 frames at 16",
                                            "11 sizes of about 256 x 256 pixels; to 129 frames at 24",
                                            "15 sizes of about 768 x 768 pixels; likewise"),
                                    "`wan_480p`",
                                    "`video_diffusion`: sizes, rate and lengths of a published model.")
                            .meant("preset", "resolution"),
                    Key.derived(
                            "sizes",
                            new Type.Items(new Type.Text("width x height, such as 832x480"), true),
                            "of `buckets`",
                            "`video_diffusion`: other sizes, multiples of 16. A video gets the one"
                                    + " nearest in aspect."),
                    Key.derived(
                                    "fps",
                                    new Type.Real(0.001),
                                    "`2`; `video_diffusion`: of `buckets`",
                                    "`qwen2_5_vl`, `qwen3_vl`, `video_diffusion`: frames taken of each"
                                            + " second.")
                            .in("frames a second")
                            .meant("rate", "frame_rate"),
                    Key.derived(
                                    "frames",
                                    new Type.Whole(1, 1 << 16),
                                    "`qwen2_5_vl`, `qwen3_vl`: by `fps`; `videomae`: `16`; `llava_onevision`: `32`",
                                    "So many frames at even distances, however long the video.")
                            .in("frames")
                            .meant("num_frames", "n_frames"),
                    video(
                            "min_frames",
                            1,
                            1 << 16,
                            "frames",
                            "`4`; `video_diffusion`: 5",
                            "`qwen2_5_vl`, `qwen3_vl`: at least so many, where by `fps`. `video_diffusion`: shorter"
                                    + " videos are refused."),
                    video(
                            "max_frames",
                            2,
                            1 << 16,
                            "frames",
                            "`768`; `video_diffusion`: of `buckets`",
                            "`qwen2_5_vl`, `qwen3_vl`: at most so many, where by `fps`. `video_diffusion`: at most so"
                                    + " many, cut to a multiple of 4 and one."),
                    video(
                            "min_pixels",
                            ModelName.TOKEN_PIXELS,
                            Integer.MAX_VALUE,
                            "pixels",
                            "`%d` for qwen2_5_vl; `%d` for qwen3_vl"
                                    .formatted(
                                            VideoSpec.QWEN2_5.minPixels(),
                                            VideoSpec.QWEN3.minPixels()),
                            "`qwen2_5_vl`: smaller frames are enlarged. `qwen3_vl`: likewise, by the"
                                    + " pixels of all frames together."),
                    video(
                            "max_pixels",
                            ModelName.TOKEN_PIXELS,
                            Integer.MAX_VALUE,
                            "pixels",
                            "`%d` for qwen2_5_vl; `%d` for qwen3_vl"
                                    .formatted(
                                            VideoSpec.QWEN2_5.maxPixels(),
                                            VideoSpec.QWEN3.maxPixels()),
                            "`qwen2_5_vl`: larger frames are reduced. `qwen3_vl`: likewise, by the"
                                    + " pixels of all frames together."),
                    video(
                            "max_video_tokens",
                            1,
                            Integer.MAX_VALUE,
                            "tokens",
                            "no cap",
                            "The cap of qwen-vl-utils (`cap_pixels_per_frame`). `qwen2_5_vl`: of a"
                                    + " context of so many tokens, 128000 there, frames share nine"
                                    + " tenths. `qwen3_vl`: most tokens of a frame, 768 there, which"
                                    + " has no more than its share of `max_pixels`."),
                    video(
                            "side",
                            16,
                            4096,
                            "pixels",
                            "`" + ModelName.SIDE + "`",
                            "`videomae`: width and height of a frame of the result."));

    static final Type.Section AUDIO =
            Type.Section.of(
                    Key.derived(
                                    "bands",
                                    new Type.Whole(16, 256),
                                    "`80`",
                                    "`whisper`: mel bands; large-v3 and turbo have 128.")
                            .in("bands")
                            .meant("n_mels", "feature_size", "num_mel_bins"),
                    Key.derived(
                                    "downmix",
                                    Choice.of(
                                            Downmix.class,
                                            "`(L + R) / sqrt(2)`, as FFmpeg and torchcodec have it",
                                            "the mean of the channels, as soundfile and librosa have"
                                                    + " it: 3 dB less"),
                                    "`power`",
                                    "How several channels become one.")
                            .meant("mono"));

    static final Type.Section TYPE =
            Type.Section.of(
                    Key.required(
                                    "model",
                                    Choice.of(ModelName.class, modelDocs()),
                                    "The processor whose values are given.")
                            .meant("processor", "type", "name"),
                    Key.derived(
                                    "tokenizer",
                                    new Type.Text("the path of a tokenizer.json"),
                                    "no ids; required by `qwen2_5_vl`, `qwen3_vl`, `internvl`,"
                                            + " `llava_onevision`, `qwen2_audio` and `text`",
                                    "The tokenizer of the text, as Hugging Face tokenizers write"
                                            + " it.")
                            .meant("tokenizer_path", "tokenizer_file"),
                    Key.derived(
                                    "template",
                                    Choice.of(
                                            Template.class,
                                            "the caption as it is",
                                            "turns between `<|im_start|>` and `<|im_end|>`"),
                                    perModel(ModelName::template),
                                    "How a caption or conversation is written before it is"
                                            + " tokenized.")
                            .meant("chat_template"),
                    Key.derived(
                                    "max_tokens",
                                    new Type.Whole(1, 1 << 22),
                                    perModel(m -> "" + m.maxTokens()) + "; `batch.length` in packs",
                                    "Most tokens of a sample; a longer text is cut, but in packs only where"
                                            + " this is below `batch.length`. For `clip`, `siglip` and"
                                            + " `siglip2` also the length of a row.")
                            .in("tokens")
                            .meant("max_length", "max_seq_len", "seq_len", "context_length"),
                    Key.section("image", IMAGE, "Settings of the processor's pictures.")
                            .meant("images"),
                    Key.fixed(
                            "quality",
                            Choice.of(
                                    Quality.class,
                                    "bit-equal to the Hugging Face processor",
                                    "JPEG may be decoded at a reduced scale"),
                            "exact",
                            "How near the pictures are to the processor's."),
                    Key.fixed(
                                    "wire",
                                    Choice.of(
                                            Wire.class,
                                            "normalised values",
                                            "normalised values, rounded",
                                            "the levels before normalisation, a quarter of the"
                                                    + " bytes; `batch.torch(device)` normalises them to"
                                                    + " the same bits"),
                                    "float32",
                                    "Element type of `pixel_values`.")
                            .meant("dtype", "torch_dtype"),
                    Key.fixed(
                            "alpha",
                            Choice.of(
                                    Alpha.class,
                                    "it lies on white, as `do_convert_rgb` has it",
                                    "its transparency is dropped, as `convert(\"RGB\")` has it"),
                            "white",
                            "What becomes of a transparent picture."),
                    Key.fixed(
                                    "orientation",
                                    Choice.of(
                                            Orientation.class,
                                            "pictures are turned upright",
                                            "pictures stay as stored, for training codes that do"
                                                    + " not look at EXIF"),
                                    "apply",
                                    "What becomes of the EXIF orientation.")
                            .meant("exif"),
                    Key.fixed(
                                    "max_image_pixels",
                                    new Type.Whole(1, Integer.MAX_VALUE),
                                    "" + MAX_IMAGE_PIXELS,
                                    "Larger pictures are refused before memory is taken for them."
                                            + " The default is where Pillow refuses.")
                            .in("pixels"),
                    Key.section(
                                    "video",
                                    VIDEO,
                                    "Which frames of a video are taken, and their size.")
                            .meant("videos"),
                    Key.section("audio", AUDIO, "Settings of the processor's sound.")
                            .meant("sound"));

    private ProcessKeys() {}

    /** What becomes of the EXIF orientation. */
    enum Orientation {
        APPLY,
        IGNORE
    }

    private static Key image(String name, long min, long max, String unit, String doc) {
        return Key.derived(name, new Type.Whole(min, max), imageDefaults(name), doc).in(unit);
    }

    private static Key video(
            String name, long min, long max, String unit, String otherwise, String doc) {
        return Key.derived(name, new Type.Whole(min, max), otherwise, doc).in(unit);
    }

    /** The default of a key of {@code process.image}: one, or each with the models that have it. */
    private static String imageDefaults(String key) {
        Map<String, List<String>> models = new LinkedHashMap<>();
        for (ModelName model : ModelName.values()) {
            if (model.imageKeys().contains(key)) {
                models.computeIfAbsent(model.imageDefault(key), _ -> new ArrayList<>())
                        .add(Type.word(model));
            }
        }
        return models.entrySet().stream()
                .map(
                        e ->
                                "`"
                                        + e.getKey()
                                        + "`"
                                        + (models.size() == 1
                                                ? ""
                                                : " for " + String.join(", ", e.getValue())))
                .collect(Collectors.joining("; "));
    }

    private static String[] modelDocs() {
        return Arrays.stream(ModelName.values()).map(ModelName::doc).toArray(String[]::new);
    }

    private static String perModel(Function<ModelName, String> value) {
        return Arrays.stream(ModelName.values())
                .collect(
                        Collectors.groupingBy(
                                value,
                                LinkedHashMap::new,
                                Collectors.mapping(Type::word, Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(e -> "`" + e.getKey() + "` for " + e.getValue())
                .collect(Collectors.joining("; "));
    }
}
