package io.headrace.engine.recipe.read;

import io.headrace.engine.recipe.BatchSpec;
import io.headrace.engine.recipe.ProcessSpec;
import io.headrace.engine.recipe.ProcessSpec.Alpha;
import io.headrace.engine.recipe.ProcessSpec.Buckets;
import io.headrace.engine.recipe.ProcessSpec.Downmix;
import io.headrace.engine.recipe.ProcessSpec.FrameSize;
import io.headrace.engine.recipe.ProcessSpec.Model;
import io.headrace.engine.recipe.ProcessSpec.Quality;
import io.headrace.engine.recipe.ProcessSpec.Template;
import io.headrace.engine.recipe.ProcessSpec.TextSpec;
import io.headrace.engine.recipe.ProcessSpec.VideoSpec;
import io.headrace.engine.recipe.ProcessSpec.Wire;
import io.headrace.engine.recipe.read.ProcessKeys.Orientation;
import io.headrace.engine.recipe.schema.Nearest;
import io.headrace.engine.recipe.schema.Type;
import io.headrace.engine.recipe.schema.Value;
import io.headrace.engine.recipe.schema.Value.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The section {@code process} after its types: settings that belong to the model, files that exist, sizes that fit. */
final class ProcessResolver {
    private static final int MOST_NEIGHBOURS = 1000;

    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{1,4}) ?x ?([1-9]\\d{1,4})");
    private static final int POSITION_SIDE = Model.VideoDiffusion.POSITION_SIDE;

    private final Fields process;
    private final Surroundings at;
    private final ModelName name;
    private final boolean batchSound;

    ProcessResolver(Fields process, Fields batch, Surroundings at) {
        this.process = process;
        this.batchSound = batch.sound() && (batch.has("samples") || batch.has("length"));
        this.at = at;
        this.name = process.choice("model", ModelName.class);
    }

    ProcessSpec resolve(BatchSpec batch) {
        Model model = model();
        TextSpec text = new TextSpec(tokenizer(), template(), maxTokens(batch));
        if (batch instanceof BatchSpec.Packs && process.sound("model") && !name.packs()) {
            at.problems()
                    .error(
                            process.of("model").place(),
                            process.path() + ".model",
                            "'" + Type.word(name) + "' has one sample a row and cannot be packed",
                            "",
                            "batch.samples; or packs with qwen2_5_vl, qwen3_vl, internvl, llava_onevision, qwen2_audio or text");
        }
        checkPictureFits(model, text.maxTokens());
        return new ProcessSpec(
                model,
                process.choice("quality", Quality.class),
                process.choice("wire", Wire.class),
                process.choice("alpha", Alpha.class),
                process.choice("orientation", Orientation.class) == Orientation.APPLY,
                process.whole("max_image_pixels"),
                text);
    }

    private Model model() {
        Fields image = process.fields("image");
        Fields video = process.fields("video");
        Fields audio = process.fields("audio");
        if (process.sound("model")) {
            refuseForeignKeys(image, name.imageKeys());
            refuseForeignKeys(video, name.videoKeys());
            refuseForeignKeys(audio, name.audioKeys());
        }
        return switch (name) {
            case CLIP -> new Model.Clip((int) image(image, "side"));
            case SIGLIP -> new Model.Siglip((int) image(image, "side"));
            case SIGLIP2 ->
                    new Model.Siglip2(
                            (int) image(image, "patch"), (int) image(image, "max_patches"));
            case QWEN2_5_VL -> {
                long min = image(image, "min_pixels");
                long max = image(image, "max_pixels");
                refuseBelow(image, "min_pixels", min, "max_pixels", max);
                yield new Model.Qwen25Vl(min, max, video(video));
            }
            case QWEN3_VL -> {
                long min = image(image, "min_pixels");
                long max = image(image, "max_pixels");
                refuseBelow(image, "min_pixels", min, "max_pixels", max);
                yield new Model.Qwen3Vl(min, max, video(video));
            }
            case INTERNVL -> new Model.InternVl((int) image(image, "max_tiles"));
            case LLAVA_ONEVISION -> new Model.LlavaOnevision((int) video(video, "frames"));
            case VIDEOMAE ->
                    new Model.VideoMae((int) video(video, "frames"), (int) video(video, "side"));
            case VIDEO_DIFFUSION -> diffusion(video);
            case WHISPER -> new Model.Whisper(bands(audio), downmix(audio));
            case QWEN2_AUDIO -> new Model.Qwen2Audio(downmix(audio));
            case TEXT -> new Model.TextOnly();
        };
    }

    private long image(Fields image, String key) {
        return image.has(key) ? image.whole(key) : Long.parseLong(name.imageDefault(key));
    }

    private static int bands(Fields audio) {
        return audio.has("bands")
                ? audio.small("bands")
                : Integer.parseInt(ModelName.audioDefault("bands"));
    }

    private static Downmix downmix(Fields audio) {
        return audio.has("downmix")
                ? audio.choice("downmix", Downmix.class)
                : Downmix.valueOf(ModelName.audioDefault("downmix").toUpperCase(Locale.ROOT));
    }

    private VideoSpec video(Fields video) {
        long minFrames = video(video, "min_frames");
        long maxFrames = video(video, "max_frames");
        long minPixels = video(video, "min_pixels");
        long maxPixels = video(video, "max_pixels");
        refuseBelow(video, "min_frames", minFrames, "max_frames", maxFrames);
        refuseBelow(video, "min_pixels", minPixels, "max_pixels", maxPixels);
        if (video.has("fps") && video.has("frames")) {
            at.problems()
                    .error(
                            video.keyPlace("frames"),
                            video.path() + ".frames",
                            "fps and frames exclude each other",
                            "",
                            "one of them");
        }
        return new VideoSpec(
                video.has("fps") ? video.real("fps") : Double.parseDouble(name.videoDefault("fps")),
                (int) video(video, "frames"),
                (int) minFrames,
                (int) maxFrames,
                minPixels,
                maxPixels,
                video(video, "max_video_tokens"));
    }

    /** What is not written is 0: that of the buckets. */
    private Model.VideoDiffusion diffusion(Fields video) {
        Buckets buckets =
                video.has("buckets") ? video.choice("buckets", Buckets.class) : Buckets.WAN_480P;
        int least = video.has("min_frames") ? video.small("min_frames") : 0;
        int most = video.has("max_frames") ? video.small("max_frames") : 0;
        if (most > 0) {
            refuseBelow(video, "min_frames", least, "max_frames", most);
        }
        double rate = video.has("fps") ? video.real("fps") : 0;
        return new Model.VideoDiffusion(buckets, sizes(video), rate, least, most);
    }

    private List<FrameSize> sizes(Fields video) {
        List<FrameSize> sizes = new ArrayList<>();
        if (!video.has("sizes")) {
            return sizes;
        }
        for (Value item : video.items("sizes")) {
            String text = item instanceof Value.Scalar scalar ? "" + scalar.data() : "";
            Matcher size = SIZE.matcher(text);
            int width = size.matches() ? Integer.parseInt(size.group(1)) : 0;
            int height = size.matches() ? Integer.parseInt(size.group(2)) : 0;
            if (width > 0 && width % POSITION_SIDE == 0 && height % POSITION_SIDE == 0) {
                sizes.add(new FrameSize(width, height));
            } else if (item.sound()) {
                at.problems()
                        .error(
                                item.place(),
                                item.path(),
                                "no size of a frame: '" + text + "'",
                                "",
                                "width x height, both multiples of 16, such as 832x480");
            }
        }
        return sizes;
    }

    private long video(Fields video, String key) {
        return video.has(key) ? video.whole(key) : Long.parseLong(name.videoDefault(key));
    }

    private void refuseBelow(Fields section, String least, long min, String most, long max) {
        if (min > max && section.sound()) {
            String key = section.has(most) ? most : least;
            at.problems()
                    .error(
                            section.of(key).place(),
                            section.path() + "." + key,
                            most + " " + max + " is below " + least + " " + min);
        }
    }

    private void refuseForeignKeys(Fields section, List<String> own) {
        section.entries()
                .forEach(
                        (key, entry) -> {
                            if (entry.written() && !own.contains(key)) {
                                at.problems()
                                        .error(
                                                entry.key(),
                                                section.path() + "." + key,
                                                "'" + Type.word(name) + "' has no such setting",
                                                "",
                                                own.isEmpty() ? "none" : String.join(", ", own));
                            }
                        });
    }

    private Template template() {
        return process.has("template")
                ? process.choice("template", Template.class)
                : Template.valueOf(name.template().toUpperCase(Locale.ROOT));
    }

    private int maxTokens(BatchSpec batch) {
        boolean written = process.has("max_tokens") && process.sound("max_tokens");
        return switch (batch) {
            case BatchSpec.Samples _ -> written ? process.small("max_tokens") : name.maxTokens();
            case BatchSpec.Packs packs when !written -> packs.lengthTokens();
            case BatchSpec.Packs packs -> {
                int cap = process.small("max_tokens");
                if (cap > packs.lengthTokens() && batchSound) {
                    at.problems()
                            .error(
                                    process.of("max_tokens").place(),
                                    process.path() + ".max_tokens",
                                    "a sample of "
                                            + cap
                                            + " tokens does not fit a pack of "
                                            + packs.lengthTokens(),
                                    "",
                                    "at most batch.length");
                }
                yield cap;
            }
        };
    }

    private void checkPictureFits(Model model, int maxTokens) {
        if (!process.sound() || !batchSound) {
            return;
        }
        // The picture's own tokens, and one before and after them.
        switch (model) {
            case Model.Qwen25Vl(_, long most, _) ->
                    warnAbove(
                            maxTokens,
                            most / ModelName.TOKEN_PIXELS + 2,
                            "max_pixels",
                            most,
                            "pixels");
            case Model.Qwen3Vl(_, long most, _) ->
                    warnAbove(
                            maxTokens,
                            most / ModelName.QWEN3_TOKEN_PIXELS + 2,
                            "max_pixels",
                            most,
                            "pixels");
            case Model.InternVl(int most) ->
                    warnAbove(
                            maxTokens,
                            ModelName.TILE_TOKENS * (most > 1 ? most + 1L : most) + 2,
                            "max_tiles",
                            most,
                            "tiles");
            case Model.Clip _,
                    Model.Siglip _,
                    Model.Siglip2 _,
                    Model.LlavaOnevision _,
                    Model.VideoMae _,
                    Model.VideoDiffusion _,
                    Model.Whisper _,
                    Model.Qwen2Audio _,
                    Model.TextOnly _ -> {}
        }
    }

    private void warnAbove(int maxTokens, long tokens, String key, long value, String unit) {
        if (tokens > maxTokens) {
            at.problems()
                    .warning(
                            process.fields("image").of(key).place(),
                            process.path() + ".image." + key,
                            "a picture of "
                                    + value
                                    + " "
                                    + unit
                                    + " takes "
                                    + tokens
                                    + " tokens, more than the "
                                    + maxTokens
                                    + " that a sample may have");
        }
    }

    private @Nullable Path tokenizer() {
        Value key = process.of("tokenizer");
        if (!process.has("tokenizer")) {
            if (name.packs() && process.sound("model")) {
                at.problems()
                        .error(
                                process.place(),
                                process.path() + ".tokenizer",
                                "'" + Type.word(name) + "' needs a tokenizer",
                                "",
                                "the path of a tokenizer.json");
            }
            return null;
        }
        if (!key.sound()) {
            return null;
        }
        try {
            Path file = at.folder().resolve(process.text("tokenizer")).normalize();
            if (!Files.isRegularFile(file)) {
                boolean folder = Files.isDirectory(file);
                at.problems()
                        .error(
                                key.place(),
                                key.path(),
                                (folder ? "a folder, not a file: " : "no such file: ") + file,
                                folder ? process.text("tokenizer") + "/tokenizer.json" : near(file),
                                "the path of a tokenizer.json");
            }
            return file;
        } catch (InvalidPathException e) {
            at.problems().error(key.place(), key.path(), "not a path: " + e.getReason());
            return null;
        }
    }

    private static String near(Path file) {
        Path parent = file.getParent();
        Path last = file.getFileName();
        if (parent == null || last == null || !Files.isDirectory(parent)) {
            return "";
        }
        try (Stream<Path> listed = Files.list(parent)) {
            List<String> names =
                    listed.limit(MOST_NEIGHBOURS).map(p -> "" + p.getFileName()).sorted().toList();
            String near = Nearest.of(last.toString(), names);
            return near.isEmpty() ? "" : parent.resolve(near).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
